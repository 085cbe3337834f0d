/** Migrations: templates that run once, in the order of their names. */
import { settingRefused } from '../diagnostics/codes/settings/setting-refused.ts'
import type { MigrationSettings } from '../model/settings.ts'
import { type ReadSettings, top } from './setting.ts'

/** Settings of a migration mean nothing; its name tells when it was written. */
export const migration: ReadSettings<MigrationSettings> = (file, _tree, report) => {
  const timestamp = /^(\d{14})_/.exec(file.name.slice(file.name.lastIndexOf('/') + 1))?.[1] ?? null
  if (timestamp === null) {
    const hint = 'Begin it with its time in UTC: `20260131120000_name.liquid`.'
    report.add(settingRefused(top(file), 'The name of a migration tells the time that orders it', hint))
  }
  return { kind: 'migration', timestamp }
}
