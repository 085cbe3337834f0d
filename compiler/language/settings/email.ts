/** Settings of emails. */
import { settingValue } from '../../core/diagnostics/codes/settings/setting-value.ts'
import type { YamlNode } from '../../core/source/yaml.ts'
import type { EmailSettings, LiquidText, NamedReference } from '../../core/model/settings.ts'
import { hasLiquid } from './liquid-text.ts'
import { notification, notificationKeys } from './notification.ts'
import { flag, liquid, type Reporter, settings, textOrMapping } from './setting.ts'

const keys = {
  ...notificationKeys,
  from: {
    schema: liquid,
    description: 'The email address of the sender.',
    otherwise: 'the address in `INGOT_MAIL_FROM`',
  },
  subject: { schema: liquid, description: 'The subject of the email.' },
  reply_to: { schema: liquid, description: 'The email address for replies.' },
  cc: { schema: liquid, description: 'Additional recipients that everyone sees, separated by commas.' },
  bcc: { schema: liquid, description: 'Additional hidden recipients, separated by commas.' },
  layout: { schema: liquid, description: 'The layout around the body. By default, there is none.', see: 'layout' },
  layout_path: {
    schema: liquid,
    deprecated: 'layout',
    description: 'Older name of `layout`, which may begin with `layouts/`.',
  },
  forced: {
    schema: flag,
    description:
      'Ignored. On the platform, the email is then sent even to users who do not want emails; Ingot sends it to all users.',
    default: false,
    unread: true,
  },
  attachments: {
    schema: textOrMapping,
    description:
      'The attached files: a mapping from each name to its `url`, with `inline` for images in the body. It can also be JSON text.',
  },
  unique_args: {
    schema: textOrMapping,
    description: 'Names and values that are sent in headers to the email delivery service.',
  },
} as const

export const email = settings<typeof keys, EmailSettings>({
  noun: 'email',
  description:
    'An email. The body of the file is its HTML; the plain text is generated from it. The passed values are in `data`.',
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
        from.reference('layout') ?? withoutLayoutFolder(from.reference('layout_path')),
        from.liquid('layout', 'layout_path'),
      ),
      forced: from.value('forced'),
      attachments: from.tree('attachments'),
      uniqueArgs: from.tree('unique_args'),
    }
  },
})

/** The settings that contain email addresses. */
const ADDRESSES = ['to', 'from', 'reply_to', 'cc', 'bcc'] as const

/** Reports an address that has no Liquid and no `@`. */
function checkAddress(node: YamlNode | null, key: string, report: Reporter): void {
  if (
    node?.kind !== 'scalar' ||
    node.text.trim() === '' ||
    hasLiquid(node.text) ||
    node.text.includes('@') ||
    !/[a-z]/i.test(node.text)
  )
    return
  report.add(settingValue(node.span, key, 'an email address such as `Shop <shop@example.com>`', node.text))
}

/** Returns the layout. With Liquid, its name is known only when the email is sent. */
function layoutOf(
  layoutName: NamedReference | null,
  text: LiquidText | null,
): Pick<EmailSettings, 'layout' | 'computedLayout'> {
  const isComputed = layoutName !== null && /\{[{%]/.test(layoutName.name)
  return { layout: isComputed ? null : layoutName, computedLayout: isComputed ? text : null }
}

/** Removes `layouts/` from the name of a layout, which older sites write. */
function withoutLayoutFolder(layoutName: NamedReference | null): NamedReference | null {
  return layoutName === null ? null : { ...layoutName, name: layoutName.name.replace(/^layouts\//, '') }
}
