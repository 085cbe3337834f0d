/** Migrations: templates that run once, in the order of their names. */
import { settingRefused } from '../../core/diagnostics/codes/settings/setting-refused.ts'
import { settingValue } from '../../core/diagnostics/codes/settings/setting-value.ts'
import type { MigrationSettings } from '../../core/model/settings.ts'
import { type ReadSettings, top } from './setting.ts'

/** Digits of `YYYYMMDDhhmmss`. */
const DIGITS = 14

/**
 * Settings of a migration mean nothing; its name says when it was written. A number of other digits, such as a Unix time,
 * orders it as well.
 */
export const migration: ReadSettings<MigrationSettings> = (file, _tree, report) => {
  const timestamp = /^(\d+)(?:_|$)/.exec(file.name.slice(file.name.lastIndexOf('/') + 1))?.[1] ?? null
  if (timestamp === null) {
    const hint = 'Begin it with its time in UTC: `20260131120000_name.liquid`.'
    report.add(settingRefused(top(file), 'The name of a migration begins with the time that orders it', hint))
  } else if (timestamp.length !== DIGITS) {
    const hint = 'It runs in the order of its number, and times of 14 digits are larger than shorter numbers.'
    report.add(settingValue(top(file), 'timestamp', 'a time such as `20260131120000`', timestamp, hint))
  }
  return { kind: 'migration', timestamp }
}
