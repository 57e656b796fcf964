import { build } from 'esbuild'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

/** Imports a TypeScript module with all that it imports, since Node 20 runs no TypeScript. */
export async function importBundled(url) {
  const folder = mkdtempSync(join(tmpdir(), 'gstack-bundle-'))
  try {
    const outfile = join(folder, 'main.mjs')
    await build({
      entryPoints: [fileURLToPath(url)],
      outfile,
      bundle: true,
      platform: 'node',
      target: 'node20',
      format: 'esm',
      sourcemap: 'inline',
    })
    process.setSourceMapsEnabled(true)
    return await import(pathToFileURL(outfile).href)
  } finally {
    rmSync(folder, { recursive: true })
  }
}
