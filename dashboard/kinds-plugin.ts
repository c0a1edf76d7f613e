/**
 * Gives the pages the table of built-in kinds without what finds them, which is many times its size: in the build, each
 * detector is its kind alone. Pages name kinds and compare policies; scanning is the service's.
 */
import { resolve } from 'node:path'
import type { Plugin } from 'vite'
import { builtInDetectors } from '../src/detection/detectors/index.ts'

const table = resolve(import.meta.dirname, '../src/detection/detectors/index.ts')

export function kindsPlugin(): Plugin {
  return {
    name: 'sluice-kinds',
    enforce: 'pre',
    load(id) {
      if (id !== table) return undefined
      const kinds = builtInDetectors.map((one) => ({
        id: one.id,
        label: one.label,
        title: one.title,
        group: one.group,
        tier: one.tier
      }))
      return { code: `export const builtInDetectors = ${JSON.stringify(kinds)}`, map: null }
    }
  }
}
