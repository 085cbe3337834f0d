/** Replaces the types of notifications in browsers, which send none. */
import { type Type, UNKNOWN } from '../../../core/model/type.ts'

export const RESPONSE: Type = UNKNOWN

export function notificationTypes(): ReadonlyMap<string, Type> {
  return new Map()
}
