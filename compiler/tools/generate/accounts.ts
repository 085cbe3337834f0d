/** Generates accounts: sign-up, log-in, passwords, confirmed addresses, roles, and their tests. */
import { UsageError } from '../../core/usage-error.ts'
import type { Files, GeneratorOptions } from './model.ts'
import { readTemplate } from './read-template.ts'

const USER = 'app/user.yml'
const MAIL_LAYOUT = 'app/views/layouts/mailer.liquid'
const MAILS = 'app/emails/'

/**
 * Returns the files of the template `accounts`. An existing `app/user.yml` stays as it is. The mails use the layout for mails if the site has
 * one.
 * @throws UsageError when `app/user.yml` does not declare the properties that accounts need
 */
export function accountFiles({ read }: GeneratorOptions): Files {
  const { [USER]: ownUser = '', ...others } = readTemplate('accounts')
  const user = read?.(USER) ?? null
  if (user !== null && !(/^\s*- name: roles$/m.test(user) && /^\s*- name: confirmed$/m.test(user)))
    throw new UsageError(
      `Accounts need properties of users. Add these to ${USER} first:\n${ownUser.replace('properties:\n', '')}`,
    )
  const files = user === null ? { [USER]: ownUser, ...others } : others
  if (read?.(MAIL_LAYOUT) == null) return files
  const inLayout = (path: string, text: string): string =>
    path.startsWith(MAILS) ? text.replace('\n---\n', '\nlayout: mailer\n---\n') : text
  return Object.fromEntries(Object.entries(files).map(([path, text]) => [path, inLayout(path, text)]))
}
