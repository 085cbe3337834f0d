/** In a browser nothing is sent: no form of a site says what a notification has. */
import { type Type, UNKNOWN } from '../../../core/model/type.ts'

export const RESPONSE: Type = UNKNOWN

export function notificationTypes(): ReadonlyMap<string, Type> {
  return new Map()
}
