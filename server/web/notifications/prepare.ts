/** Prepares notifications of templates: evaluates their conditions and provides their language and variables. */
import type { Render } from '../../../runtime/page/render.ts'
import type { NotificationData } from '../../../runtime/data/jobs.ts'
import type { Format, NotificationEntry, Scope, Setting } from '../../../runtime/page/site.ts'
import { restoreScope } from '../forms/snapshot.ts'
import { evaluateSetting, settingText } from '../site/setting.ts'
import { DeliveryFault, settingLocation, type SkippedMessage } from './model.ts'

/** Maximum number of characters of a condition's text in a reason. */
const MAX_PRINTED = 300

/** A prepared notification. */
export interface PreparedNotification {
  /**
   * Renders a setting as text without HTML escaping. Null renders to `''`.
   * @throws LiquidFault
   */
  text(setting: Setting | null, extraScope?: Scope): Promise<string>
  /**
   * Renders a setting as data: a list, a map, or parsed JSON text.
   * @throws LiquidFault
   */
  data(setting: Setting | null): Promise<unknown>
  /** Creates a render in the notification's language and the variables of its templates. */
  render(format: Format): Promise<{ readonly r: Render; readonly scope: Scope }>
}

/**
 * Prepares a notification. Returns null when it is disabled or its condition is not met.
 * @param createRender creates a render with the context of the sender
 * @param skip is called with the reason, if the template keeps its message from being sent
 * @throws LiquidFault, DeliveryFault
 */
export async function prepare(
  entry: NotificationEntry,
  content: NotificationData,
  createRender: (format: Format) => Render,
  skip: (why: Pick<SkippedMessage, 'reason' | 'place'>) => void,
): Promise<PreparedNotification | null> {
  if (!entry.enabled) {
    skip({ reason: '`enabled` is false.', place: settingLocation(entry, 'enabled') })
    return null
  }
  if (entry.render === null)
    throw new DeliveryFault('this template was built with errors', 'permanent', settingLocation(entry))
  const textRender = createRender('txt')
  const scope = await createScope(content, textRender)
  const text = (setting: Setting | null, extraScope: Scope = {}): Promise<string> =>
    settingText(setting, textRender, { ...scope, ...extraScope })
  const locale = (await text(entry.locale)).trim()
  if (locale !== '') textRender.context['language'] = locale
  if (entry.triggerCondition !== null) {
    const printed = (await text(entry.triggerCondition)).trim()
    if (printed !== 'true') {
      const said = printed === '' ? 'nothing' : `\`${printed.slice(0, MAX_PRINTED).replaceAll('`', "'")}\``
      const reason = `\`trigger_condition\` printed ${said} instead of \`true\`.`
      skip({ reason, place: settingLocation(entry, 'trigger_condition') })
      return null
    }
  }
  return {
    text,
    data: async (setting) => (setting === null ? null : evaluateSetting(setting, () => textRender, scope)),
    async render(format) {
      const r = createRender(format)
      if (locale !== '') r.context['language'] = locale
      return { r, scope: await createScope(content, r) }
    },
  }
}

/** Creates the variables. `form` and `data` are the same object. */
async function createScope(content: NotificationData, r: Render): Promise<Scope> {
  if (content.kind === 'data') return { form: content.data, data: content.data }
  const scope = await restoreScope(r.site, content.form, r)
  return { ...scope, data: scope['form'] }
}
