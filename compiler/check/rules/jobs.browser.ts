/** In a browser no job runs, so that no value goes through a queue. */
import type { Type } from '../../model/type.ts'

export function storedTypes(types: ReadonlyMap<string, Type>): ReadonlyMap<string, Type> {
  return types
}

export function checkStorable(): void {}
