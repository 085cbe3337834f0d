/** In a browser blocks that do not fit are told where that shows. */
export interface Stretch {
  readonly text: string
  readonly to: number
}

export function openByLayout(): null {
  return null
}

export function surplusByLayout(): null {
  return null
}

export function belongsBefore(): boolean {
  return true
}
