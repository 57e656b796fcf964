import {
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { armed } from '../../helpers/armed.ts'
import { checkStep, copiesIn, expectStandard } from '../../helpers/standard.ts'
import { test } from '../../helpers/world.ts'

describe('links are never written through:', () => {
  test('a file that became a link comes back, and the target is untouched', async ({ world }) => {
    const { repo, session } = await armed(world)
    const target = join(world.home, '.bashrc')
    writeFileSync(target, 'private\n')
    const before = statSync(target)

    const step = await checkStep({ world, repo, session, event: 'PostToolUse' }, () => {
      repo.remove('src/cart.js')
      symlinkSync(target, repo.path('src/cart.js'))
    })

    await expectStandard(step, ['src/cart.js'])
    expect(lstatSync(repo.path('src/cart.js')).isFile()).toBe(true)
    expect(readFileSync(target, 'utf8')).toBe('private\n')
    expect(statSync(target)).toMatchObject({ mtimeMs: before.mtimeMs, ino: before.ino, mode: before.mode })
    expect(readlinkSync(copiesIn(step.answer.reason, session)[0] ?? '')).toBe(target)
  })

  test('a folder that became a link is refused, and nothing behind it changes', async ({ world }) => {
    const { repo, session } = await armed(world)
    const outside = join(world.home, 'outside')
    mkdirSync(outside)
    writeFileSync(join(outside, 'rate.js'), 'outside\n')
    repo.sh('mv src/deep src/deep.real')
    symlinkSync(outside, repo.path('src/deep'))
    const acted = repo.snapshot()

    const answer = await session.check('PostToolUse')

    expect(answer.reason).toContain('GATE_RESTORE_FAILED')
    expect(answer.reason).toContain('src/deep/rate.js')
    expect(readFileSync(join(outside, 'rate.js'), 'utf8')).toBe('outside\n')
    expect(repo.snapshot()).toEqual(acted)
  })
})

describe('what was replaced', () => {
  test('is kept as the very inode, so that no late write to it is lost', async ({ world }) => {
    const { repo, session } = await armed(world)
    repo.append('src/cart.js', 'fix\n')
    const inode = repo.inode('src/cart.js')

    const answer = await session.check('PostToolUse')

    const [copy = ''] = copiesIn(answer.reason, session)
    expect(lstatSync(copy).ino).toBe(inode)
    expect(repo.inode('src/cart.js')).not.toBe(inode)
  })

  test('is left alone at its other names when the file is hard-linked', async ({ world }) => {
    const { repo, session } = await armed(world)
    const other = join(world.home, 'other-name.js')
    linkSync(repo.path('src/cart.js'), other)
    const fixed = `${repo.read('src/cart.js')}fix\n`
    repo.append('src/cart.js', 'fix\n')

    const answer = await session.check('PostToolUse')

    expect(repo.read('src/cart.js')).toBe(repo.committed('src/cart.js'))
    expect(readFileSync(other, 'utf8')).toBe(fixed)
    expect(copiesIn(answer.reason, session).map((copy) => readFileSync(copy, 'utf8'))).toContain(fixed)
  })

  test('is readable by nobody else', async ({ world }) => {
    const { repo, session } = await armed(world)
    repo.append('src/cart.js', 'fix\n')

    await session.check('PostToolUse')

    expect(statSync(session.stateFolder).mode & 0o077).toBe(0)
  })
})

describe('clean files come back as git checks them out:', () => {
  for (const file of ['src/auto.js', 'src/run.bat', 'src/ident.js', 'src/stored-crlf.js']) {
    test(file, async ({ world }) => {
      const { repo, session } = await armed(world, 'crlf-and-ident')
      const bytes = repo.bytes(file)

      const step = await checkStep({ world, repo, session, event: 'PostToolUse' }, () =>
        repo.write(file, 'fix\n'),
      )

      await expectStandard(step, [file])
      expect(repo.bytes(file).equals(bytes)).toBe(true)
    })
  }

  test('with the conversion of the moment when the gate armed', async ({ world }) => {
    const { repo, session } = await armed(world, 'crlf-and-ident')
    const bytes = repo.bytes('src/auto.js')
    repo.git('config', 'core.autocrlf', 'true')
    repo.append('src/auto.js', 'fix\n')

    await session.check('PostToolUse')

    expect(repo.bytes('src/auto.js').equals(bytes)).toBe(true)
  })

  test('when the attributes were changed with them', async ({ world }) => {
    const { repo, session } = await armed(world, 'crlf-and-ident')
    const before = repo.snapshot()
    repo.sh("echo '* -text' > .gitattributes; echo fix >> src/run.bat; echo fix >> src/ident.js")

    await session.check('PostToolUse')

    expect(repo.snapshot()).toEqual(before)
  })

  test('without a git on the PATH', async ({ world }) => {
    world.env['PATH'] = join(process.execPath, '..')
    mkdirSync(join(world.home, 'bin'))
    for (const tool of ['sh', 'readlink', 'cat', 'node'])
      symlinkSync(tool === 'node' ? process.execPath : `/bin/${tool}`, join(world.home, 'bin', tool))
    world.env['PATH'] = join(world.home, 'bin')
    const { repo, session } = await armed(world, 'crlf-and-ident')
    repo.sh('echo fix >> src/auto.js; git add src/auto.js; echo fix >> src/ident.js')

    const answer = await session.check('PostToolUse')

    expect(answer.decision, answer.stderr + answer.systemMessage).toBe('block')
    expect(repo.status()).toBe('')
  })
})

describe('files that were dirty when the gate armed come back from raw copies:', () => {
  test('bytes and mode', async ({ world }) => {
    const { repo, session } = await armed(world, 'dirty-start')

    const step = await checkStep({ world, repo, session, event: 'PostToolUse' }, () => {
      repo.write('src/edited.js', 'fix\n')
      repo.mode('src/edited.js', 0o755)
    })

    await expectStandard(step, ['src/edited.js'])
    expect(repo.read('src/edited.js')).toBe('one\nuser line')
    expect(repo.permissions('src/edited.js')).toBe('600')
  })

  test('a file that was not there is moved aside', async ({ world }) => {
    const { repo, session } = await armed(world, 'dirty-start')

    const step = await checkStep({ world, repo, session, event: 'PostToolUse' }, () =>
      repo.write('src/deleted.js', 'fix\n'),
    )

    await expectStandard(step, ['src/deleted.js'])
  })

  test('a file that was deleted since', async ({ world }) => {
    const { repo, session } = await armed(world, 'dirty-start')

    const step = await checkStep({ world, repo, session, event: 'PostToolUse' }, () =>
      repo.remove('src/edited.js'),
    )

    await expectStandard(step, ['src/edited.js'])
    expect(repo.permissions('src/edited.js')).toBe('600')
  })
})

describe('the permissions of a file that was clean', () => {
  test('stay as they are now', async ({ world }) => {
    const { repo, session } = await armed(world)
    repo.mode('src/cart.js', 0o750)
    repo.append('src/cart.js', 'fix\n')

    await session.check('PostToolUse')

    expect(repo.read('src/cart.js')).toBe(repo.committed('src/cart.js'))
    expect(repo.permissions('src/cart.js')).toBe('750')
  })

  test('are the tree’s when the file is gone', async ({ world }) => {
    const { repo, session } = await armed(world)
    repo.sh('rm bin/run.sh src/cart.js')

    await session.check('PostToolUse')

    expect(repo.permissions('bin/run.sh')).toBe('755')
    expect(repo.permissions('src/cart.js')).toBe('644')
  })

  test('a mode that was left over is no change at the next check', async ({ world }) => {
    const { repo, session } = await armed(world)
    repo.sh('chmod +x src/cart.js; echo fix >> src/cart.js')
    await session.check('PostToolUse')

    expect((await session.check('PostToolUse')).stdout).toBe('')
  })
})

test('files that did not change keep inode and time', async ({ world }) => {
  const { repo, session } = await armed(world)
  const before = statSync(repo.path('src/price.js'))
  repo.append('src/cart.js', 'fix\n')

  await session.check('PostToolUse')

  expect(statSync(repo.path('src/price.js'))).toMatchObject({
    ino: before.ino,
    mtimeMs: before.mtimeMs,
    ctimeMs: before.ctimeMs,
  })
})

test('a file in a folder that is gone comes back with its folder', async ({ world }) => {
  const { repo, session } = await armed(world)

  const step = await checkStep({ world, repo, session, event: 'PostToolUse' }, () => repo.sh('rm -r src bin'))

  await expectStandard(
    step,
    ['src/cart.js', 'src/price.js', 'src/deep/rate.js', 'bin/run.sh'],
    ['src/fixtures/cart.json'],
  )
})
