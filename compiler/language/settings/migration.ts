/** Settings of migrations: templates that run once, in the order of their names. */
import { settingRefused } from '../../core/diagnostics/codes/settings/setting-refused.ts'
import { settingValue } from '../../core/diagnostics/codes/settings/setting-value.ts'
import type { MigrationSettings } from '../../core/model/settings.ts'
import { type ReadSettings, top } from './setting.ts'

/** The number of digits in `YYYYMMDDhhmmss`. */
const DIGITS = 14

/**
 * Reads the timestamp from the name of a migration, which has no other settings. Another number of digits, such as a Unix time, also
 * defines an order.
 */
export const migration: ReadSettings<MigrationSettings> = (file, _tree, report) => {
  const timestamp = /^(\d+)(?:_|$)/.exec(file.name.slice(file.name.lastIndexOf('/') + 1))?.[1] ?? null
  if (timestamp === null) {
    const hint = 'Begin the name with the time in UTC: `20260131120000_name.liquid`.'
    report.add(
      settingRefused(top(file), 'The name of a migration must begin with a timestamp, which defines the order', {
        hint,
      }),
    )
  } else if (timestamp.length !== DIGITS) {
    const hint = 'Migrations run in numeric order, and 14-digit timestamps are larger than shorter numbers.'
    report.add(settingValue(top(file), 'timestamp', 'a timestamp such as `20260131120000`', timestamp, { hint }))
  }
  return { kind: 'migration', timestamp }
}
