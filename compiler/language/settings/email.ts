/** Mails. */
import { settingValue } from '../../core/diagnostics/codes/settings/setting-value.ts'
import type { YamlNode } from '../../core/source/yaml.ts'
import type { EmailSettings, LiquidText, NamedReference } from '../../core/model/settings.ts'
import { hasLiquid } from './liquid-text.ts'
import { notification, notificationKeys } from './notification.ts'
import { flag, liquid, type Reporter, settings, textOrMapping } from './setting.ts'

const keys = {
  ...notificationKeys,
  from: { schema: liquid, says: 'The address of the sender.', otherwise: 'the address in `INGOT_MAIL_FROM`' },
  subject: { schema: liquid, says: 'The subject of the mail.' },
  reply_to: { schema: liquid, says: 'The address that answers go to.' },
  cc: { schema: liquid, says: 'Further addresses that everybody sees, with commas between them.' },
  bcc: { schema: liquid, says: 'Further addresses that nobody sees, with commas between them.' },
  layout: { schema: liquid, says: 'The layout around the body; without it there is none.', see: 'layout' },
  layout_path: {
    schema: liquid,
    deprecated: 'layout',
    says: 'Older name of `layout`, which may begin with `layouts/`.',
  },
  forced: {
    schema: flag,
    says: 'Whether people get it who want no mails: nothing keeps mails back.',
    default: false,
    unread: true,
  },
  attachments: {
    schema: textOrMapping,
    says: 'Files, by their names: a mapping of each to its `url`, and `inline` for pictures that the body shows; also as the text of a JSON object.',
  },
  unique_args: {
    schema: textOrMapping,
    says: 'Names and values that go with the mail in headers, for the service that delivers it.',
  },
} as const

export const email = settings<typeof keys, EmailSettings>({
  noun: 'email',
  says: 'A mail: the body of the file is its HTML, from which the plain text is made. It reads what was passed as `data`.',
  keys,
  read: (from, file) => {
    for (const key of ADDRESSES) checkAddress(from.node(key), key, from.report)
    return {
      kind: 'email',
      ...notification(from, file),
      from: from.liquid('from'),
      subject: from.liquid('subject'),
      replyTo: from.liquid('reply_to'),
      cc: from.liquid('cc'),
      bcc: from.liquid('bcc'),
      ...layoutOf(
        from.reference('layout') ?? folderless(from.reference('layout_path')),
        from.liquid('layout', 'layout_path'),
      ),
      forced: from.value('forced'),
      attachments: from.tree('attachments'),
      uniqueArgs: from.tree('unique_args'),
    }
  },
})

/** Settings that hold addresses. */
const ADDRESSES = ['to', 'from', 'reply_to', 'cc', 'bcc'] as const

/** A word without Liquid and without an `@` is no address of a mail. */
function checkAddress(node: YamlNode | null, key: string, report: Reporter): void {
  if (
    node?.kind !== 'scalar' ||
    node.text.trim() === '' ||
    hasLiquid(node.text) ||
    node.text.includes('@') ||
    !/[a-z]/i.test(node.text)
  )
    return
  report.add(settingValue(node.span, key, 'an address such as `Shop <shop@example.com>`', node.text))
}

/** Which layout it is may be known only when the mail is sent. */
function layoutOf(
  named: NamedReference | null,
  text: LiquidText | null,
): Pick<EmailSettings, 'layout' | 'computedLayout'> {
  const isComputed = named !== null && /\{[{%]/.test(named.name)
  return { layout: isComputed ? null : named, computedLayout: isComputed ? text : null }
}

/** Where mails named files, layouts were below `layouts/`. */
function folderless(named: NamedReference | null): NamedReference | null {
  return named === null ? null : { ...named, name: named.name.replace(/^layouts\//, '') }
}
