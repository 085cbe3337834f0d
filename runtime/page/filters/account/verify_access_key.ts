/** `verify_access_key`: whether a text is an access key of the site. */
import { str } from '../../values/text.ts'
import type { Render, Textual } from '../types.ts'

export const dialect = 'platform'

/** Whether the text is an access key: a token for the site's API that has not been revoked. */
export async function verify_access_key(r: Render, input: Textual): Promise<boolean> {
  return (await r.services.accounts?.isAccessKey(str(input))) ?? false
}
