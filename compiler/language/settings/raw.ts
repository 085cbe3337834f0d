/** Settings of kinds of files whose settings are not read. */
import type { RawSettings } from '../../core/model/settings.ts'
import type { ReadSettings } from './setting.ts'

export function raw(kind: RawSettings['kind']): ReadSettings<RawSettings> {
  return (_file, tree) => ({ kind, tree })
}
