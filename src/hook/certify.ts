/**
 * Certificates for the front. The facts of a call are collected on its sheet while it looks; when it had nothing to do and
 * says under which kind that holds, they are written.
 */

import type { CertificateKind } from '../core/certificate.ts'
import type { Env } from '../core/env.ts'
import { DEADLINE_NAME } from '../core/deadline.ts'
import { GateError, isSystemError } from '../core/errors.ts'
import type { SessionId } from '../core/ids.ts'
import type { HookName } from '../core/registration.ts'
import { STATE_ROOT_NAMES } from '../core/state-names.ts'
import { environmentNameOf, resolveSwitch, type ResolvedSwitch, type SwitchName } from '../core/switches.ts'
import { configPath, readConfigValue } from '../store/config-file.ts'
import { newFactSheet, type FactSheet } from '../store/fact-sheet.ts'
import type { StatePaths } from '../store/paths.ts'

/** A sheet with the variables on which every answer depends. */
export function beginSheet(env: Env, paths: StatePaths): FactSheet {
  const sheet = newFactSheet(paths.root)
  for (const name of ['HOME', ...STATE_ROOT_NAMES, DEADLINE_NAME])
    sheet.add({ kind: 'variable', name, value: env[name] })
  return sheet
}

/** Resolves a hook's switch, and notes what it was resolved from. */
export function watchSwitch(name: SwitchName, env: Env, paths: StatePaths, sheet: FactSheet): ResolvedSwitch {
  const variable = environmentNameOf(name)
  sheet.add({ kind: 'variable', name: variable, value: env[variable] })
  return resolveSwitch(name, env, () => {
    sheet.look(configPath(paths.root), 'all')
    return readConfigValue(paths.root, name)
  })
}

/** Writes the certificate of a call that had nothing to do. Without one the next call starts Node, and no more. */
export async function leaveCertificate(
  paths: StatePaths,
  who: { readonly hook: HookName; readonly session: SessionId; readonly kind: CertificateKind },
  sheet: FactSheet,
): Promise<void> {
  const facts = sheet.settled()
  if (facts === undefined) return
  const { writeCertificate } = await import('../store/certificate.ts')
  try {
    writeCertificate(paths, who, facts)
  } catch (error) {
    if (!isSystemError(error) && !(error instanceof GateError)) throw error
  }
}
