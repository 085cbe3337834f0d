/** Tracks the place in the HTML of the printed text: content, a tag, or the value of an attribute. */

export type HtmlState = 'content' | 'tag' | 'unquoted' | 'double' | 'single' | 'comment'

const NOT_SPACE = /\S/g
/** Characters that change the state inside of a tag. */
const IN_TAG = /[>=]/g

/** Returns the state after `text`. It accepts incomplete HTML, because templates can split it anywhere. */
export function stateAfter(state: HtmlState, text: string): HtmlState {
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at)
    switch (state) {
      case 'content':
        if (char !== '<') {
          at = text.indexOf('<', at) - 1
          if (at < 0) return state
        } else if (text.startsWith('<!--', at)) state = 'comment'
        else if (/[A-Za-z/!]/.test(text[at + 1] ?? 'a')) state = 'tag'
        break
      case 'comment':
        at = text.indexOf('-->', at)
        if (at < 0) return state
        at += 2
        state = 'content'
        break
      case 'tag':
        if (char === '>') state = 'content'
        else if (char !== '=') {
          IN_TAG.lastIndex = at
          const next = IN_TAG.exec(text)
          if (next === null) return state
          at = next.index - 1
        } else {
          NOT_SPACE.lastIndex = at + 1
          const value = NOT_SPACE.exec(text)
          if (value?.[0] === '"' || value?.[0] === "'") {
            state = value[0] === '"' ? 'double' : 'single'
            at = value.index
          } else state = 'unquoted'
        }
        break
      case 'unquoted':
        if (char === '>') state = 'content'
        else if (char === '"') state = 'double'
        else if (char === "'") state = 'single'
        else if (/\s/.test(char)) state = 'tag'
        break
      case 'double':
        at = text.indexOf('"', at)
        if (at < 0) return state
        state = 'tag'
        break
      case 'single':
        at = text.indexOf("'", at)
        if (at < 0) return state
        state = 'tag'
        break
    }
  }
  return state
}

export function isInAttribute(state: HtmlState): boolean {
  return state === 'double' || state === 'single' || state === 'unquoted'
}
