/** Settings for tests. Everything that tests send, store and cache goes to a temporary folder, which is removed afterwards. */
import { join } from 'node:path'
import type { ReadySettings } from '../../core/settings.ts'

export function isolateSettings(settings: ReadySettings, folder: string, secret: string): ReadySettings {
  return {
    ...settings,
    secret,
    dataFolder: join(folder, 'data'),
    replicaUrl: null,
    redisUrl: null,
    s3: null,
    delivery: { ...settings.delivery, smtpUrl: null, smsUrl: null },
  }
}
