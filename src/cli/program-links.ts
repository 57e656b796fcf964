/**
 * gstack's own small programs, for machines without gstack: skills call them by name. Links go to `~/.local/bin` and
 * stand back wherever gstack's own, or anybody's, are there.
 */

import { existsSync, mkdirSync, readlinkSync, rmSync, symlinkSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'
import { hasErrno } from '../core/errors.ts'
import { isLink } from '../store/link.ts'
import { claudeConfigDir } from '../store/paths.ts'
import type { CliContext, ProgramName } from './command.ts'

const PROGRAMS: readonly ProgramName[] = ['gstack-config', 'gstack-slug', 'gstack-session-kind']

export function linkPrograms(context: CliContext): void {
  const folder = linkFolder(context)
  for (const name of PROGRAMS) {
    const link = join(folder, name)
    if (isInstalledElsewhere(name, context)) {
      unlink(name, context)
      continue
    }
    if (isOurLink(link, name, context) || !isFree(link, name)) continue
    mkdirSync(folder, { recursive: true })
    rmSync(link, { force: true })
    try {
      symlinkSync(target(name, context), link)
    } catch (error) {
      if (hasErrno(error, 'EEXIST')) continue // another setup was faster
      throw error
    }
    context.stdout(`linked ${link}\n`)
  }
}

export function unlinkPrograms(context: CliContext): void {
  for (const name of PROGRAMS) unlink(name, context)
}

function unlink(name: ProgramName, context: CliContext): void {
  const link = join(linkFolder(context), name)
  if (!isOurLink(link, name, context)) return
  rmSync(link, { force: true })
  context.stdout(`removed ${link}\n`)
}

const linkFolder = ({ home }: CliContext): string => join(home, '.local', 'bin')

const target = (name: ProgramName, { packageRoot }: CliContext): string => join(packageRoot, 'bin', name)

/** gstack's own, or one on PATH that is not our link. */
function isInstalledElsewhere(name: ProgramName, context: CliContext): boolean {
  const onPath = (context.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '')
  const folders = [join(claudeConfigDir(context.env, context.home), 'skills', 'gstack', 'bin'), ...onPath]
  return folders
    .map((folder) => resolve(context.cwd, folder, name))
    .some(
      (path) =>
        path !== join(linkFolder(context), name) && path !== target(name, context) && existsSync(path),
    )
}

function isOurLink(link: string, name: ProgramName, context: CliContext): boolean {
  return linkTarget(link) === target(name, context)
}

/** Nothing is there, or a link of a package that has moved away. */
function isFree(link: string, name: ProgramName): boolean {
  if (existsSync(link)) return false
  return linkTarget(link)?.endsWith(`/bin/${name}`) ?? true
}

const linkTarget = (path: string): string | undefined => (isLink(path) ? readlinkSync(path) : undefined)
