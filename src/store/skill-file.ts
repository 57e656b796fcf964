import { readFileSync, statSync } from 'node:fs'
import { isSystemError } from '../core/errors.ts'
import { stateError } from './contract-record.ts'
import type { Frontmatter } from '../core/skill-file.ts'
import { readFrontmatter } from './frontmatter.ts'

const LONGEST_SKILL_BYTES = 1024 * 1024

/**
 * Reads the frontmatter of one SKILL.md, wherever it lies.
 *
 * @throws GateError SKILL_CONTRACT_STATE_ERROR when the file cannot be read
 */
export function readSkillFile(file: string): Frontmatter {
  try {
    const stat = statSync(file)
    if (!stat.isFile()) return { kind: 'broken', why: 'it is not a regular file' }
    if (stat.size > LONGEST_SKILL_BYTES) return { kind: 'broken', why: 'it is over 1 MiB' }
    return readFrontmatter(readFileSync(file, 'utf8'))
  } catch (error) {
    if (isSystemError(error)) throw stateError(file, error)
    throw error
  }
}
