/** What all template notifications share: the variables of their Liquid, their language, and whether they are sent. */
import type { Render } from '../../../runtime/page/render.ts'
import type { NotificationData } from '../../../runtime/data/jobs.ts'
import type { Format, NotificationEntry, Scope, Setting } from '../../../runtime/page/site.ts'
import { restoreScope } from '../forms/snapshot.ts'
import { settingData, settingText } from '../site/setting.ts'
import { DeliveryFault, locationOf } from './model.ts'

/** A notification being prepared. */
export interface PreparedNotification {
  /**
   * A setting as text, not escaped for HTML; `''` when null.
   * @throws LiquidFault
   */
  text(setting: Setting | null, more?: Scope): Promise<string>
  /**
   * A setting as data: a list, a map, or parsed JSON text.
   * @throws LiquidFault
   */
  data(setting: Setting | null): Promise<unknown>
  /** Creates a render in the notification's language, with the variables of its templates. */
  render(format: Format): Promise<{ readonly r: Render; readonly scope: Scope }>
}

/**
 * Prepares a notification; null when it is not to be sent.
 * @param make creates a render with the context of the sender
 * @throws LiquidFault, DeliveryFault
 */
export async function prepare(
  entry: NotificationEntry,
  content: NotificationData,
  make: (format: Format) => Render,
): Promise<PreparedNotification | null> {
  if (!entry.enabled) return null
  if (entry.render === null)
    throw new DeliveryFault('this template was built with errors', 'permanent', locationOf(entry))
  const plain = make('txt')
  const scope = await scopeOf(content, plain)
  const text = (setting: Setting | null, more: Scope = {}): Promise<string> =>
    settingText(setting, plain, { ...scope, ...more })
  const locale = (await text(entry.locale)).trim()
  if (locale !== '') plain.context['language'] = locale
  if (entry.triggerCondition !== null && (await text(entry.triggerCondition)).trim() !== 'true') return null
  return {
    text,
    data: async (setting) => (setting === null ? null : settingData(setting, () => plain, scope)),
    async render(format) {
      const r = make(format)
      if (locale !== '') r.context['language'] = locale
      return { r, scope: await scopeOf(content, r) }
    },
  }
}

/** `form` and `data` are the same object. */
async function scopeOf(content: NotificationData, r: Render): Promise<Scope> {
  if (content.kind === 'data') return { form: content.data, data: content.data }
  const scope = await restoreScope(r.site, content.form, r)
  return { ...scope, data: scope['form'] }
}
