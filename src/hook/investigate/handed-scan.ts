import path from 'node:path'
import { scanArrivalFrom } from '../../core/handed-scan.ts'
import { native } from '../../native/binding.ts'
import type { ScanRow } from '../../native/types.ts'
import { filesOfPins, type SavedPins } from '../../store/baseline-file.ts'
import type { HookCall } from '../call.ts'

let isTaken = false

/**
 * Takes over what the front went on looking at while this process started; it is there once.
 *
 * @returns undefined when there is nothing, it did not arrive whole, or it is of another tree or other pins
 */
export async function takeHandedScan(
  { env, paths }: HookCall,
  pinned: SavedPins,
): Promise<readonly ScanRow[] | undefined> {
  const arrival = scanArrivalFrom(env)
  if (arrival === undefined || isTaken) return undefined
  isTaken = true
  try {
    const scan = await native().takeScan(arrival.pipe, arrival.scanner)
    const { index, table, patch } = filesOfPins(pinned)
    const isSame = (named: string, file: string | undefined): boolean =>
      file === undefined ? named === '' : named === path.relative(paths.root, file)
    const isOfThese = isSame(scan.index, index) && isSame(scan.table, table) && isSame(scan.patch, patch)
    return isOfThese && scan.root === pinned.baseline.root ? scan.rows : undefined
  } catch {
    return undefined
  }
}
