/**
 * Splits a YAML text into tokens with the rules of libyaml, like the platform. They are less strict than YAML 1.2: no space is needed
 * before `#` after a token, brackets and lines of quoted texts may be in any column, and tabs may separate tokens.
 */
import { endsWord, isBreak, TAB, WRONG_COLON, WRONG_PLACE, YamlCursor, YamlRefusal } from './yaml-cursor.ts'
import { readBlock, readPlain, readQuoted, type ScalarText } from './yaml-texts.ts'

export type SignKind =
  | ('[' | ']' | '{' | '}' | ',' | '-' | '?' | ':' | '---' | '...')
  /** The beginning or end of a list or mapping that is defined by its indentation. */
  | ('block-list' | 'block-map' | 'block-end')
  /** The end of the text. */
  | 'end'

/** Offsets are relative to the beginning of the text. */
export type Token = { readonly start: number; readonly end: number } & (
  | { readonly kind: SignKind }
  | { readonly kind: 'alias' | 'anchor'; readonly name: string }
  | { readonly kind: 'tag'; readonly handle: string; readonly suffix: string }
  /** `%YAML` and `%TAG` with their arguments. */
  | { readonly kind: 'directive'; readonly name: string; readonly values: readonly [string, string] }
  | ({ readonly kind: 'scalar'; readonly isPlain: boolean } & ScalarText)
)

/** A place where a key may begin. Only a colon after it shows that it is a key. */
interface PossibleKey {
  readonly at: number
  readonly lineStart: number
  /** The number of the first token of the key. */
  readonly tokenNumber: number
  /** Whether only a key is allowed at this place. */
  readonly required: boolean
}

/** Maximum length of a key in characters. A key must also end in its line. */
const MAX_KEY_LENGTH = 1024
const DIRECTIVE =
  /%(?:(YAML)[ \t]+(\d+)\.(\d+)|TAG[ \t]+(!(?:[\w-]*!)?)[ \t]+((?:[\w;/?:@&=+$.!~*'(),[\]-]|%[\da-f]{2})+)(?=[\s\x85\u2028\u2029]|$))/iy
const TAG = /!<((?:[\w;/?:@&=+$.!~*'(),[\]-]|%[\da-f]{2})+)>|(!(?:[\w-]*!)?)((?:[\w;/?:@&=+$.!~*'()-]|%[\da-f]{2})*)/iy
const WRONG_START = 'a text that begins with this character needs quotes'
const NO_COLON = 'a key is expected on one line, with a colon after it'

/** Returns the tokens of a text one by one. @throws YamlRefusal if the text has a syntax error */
export class YamlScanner {
  readonly #cursor: YamlCursor
  readonly #queue: Token[] = []
  /** The number of tokens already taken. */
  #taken = 0
  #isReady = false
  #hasEnded = false
  /** The columns of the open blocks; -1 outside of all blocks. */
  readonly #around: number[] = []
  #indent = -1
  #mayBeKey = true
  /** The last plain text. */
  #scalar: ScalarText | null = null
  /** The possible key of the surrounding block and of each open bracket; null if there is none. */
  readonly #keys: (PossibleKey | null)[] = [null]

  constructor(text: string) {
    this.#cursor = new YamlCursor(text)
  }

  /** The next token, without taking it. After the end of the text, it is always the end token. */
  get next(): Token {
    while (!this.#isReady && this.#lacksToken()) this.#scan()
    this.#isReady = true
    const [next] = this.#queue
    if (next === undefined) throw new Error('no token was read')
    return next
  }

  take(): Token {
    const token = this.next
    if (token.kind === 'end') return token
    this.#queue.shift()
    this.#taken++
    this.#isReady = false
    return token
  }

  /** Returns whether more text must be scanned to know the next token, because a key begins a mapping before itself. */
  #lacksToken(): boolean {
    if (this.#queue.length === 0) return true
    if (this.#hasEnded) return false
    this.#dropStaleKeys()
    return this.#keys.some((key) => key?.tokenNumber === this.#taken)
  }

  get #isInFlow(): boolean {
    return this.#keys.length > 1
  }

  // ---- which token is next ------------------------------------------------------------------------------------------

  #scan(): void {
    this.#skipToToken()
    this.#dropStaleKeys()
    this.#closeBlocks(this.#cursor.column)
    const code = this.#cursor.code()
    if (code === 0) return this.#end()
    const document = this.#cursor.documentSign()
    if (document !== null) return this.#document(document)
    const sign = this.#cursor.sign()
    if (sign === '%' && this.#cursor.column === 0) return this.#directive()
    const isAlone = endsWord(this.#cursor.code(1))
    const isInFlow = this.#isInFlow
    switch (sign) {
      case '[':
      case '{':
        return this.#openFlow(sign)
      case ']':
      case '}':
        return this.#closeFlow(sign)
      case ',':
        return this.#nextInFlow()
      case '*':
      case '&':
        return this.#named(sign)
      case '!':
        return this.#tag()
      case "'":
      case '"':
        return this.#quoted()
      case '|':
      case '>':
        if (!isInFlow) return this.#block()
        break
      case '-':
        if (isAlone) return this.#entry()
        return this.#plain()
      case '?':
        if (isAlone || isInFlow) return this.#key()
        return this.#plain()
      case ':':
        if (isAlone || isInFlow) return this.#value()
        return this.#plain()
      case '\t':
        return this.#cursor.refuse(TAB)
      case '#':
      case '%':
      case '@':
      case '`':
        break
      default:
        return this.#plain()
    }
    this.#cursor.refuse(WRONG_START)
  }

  #skipToToken(): void {
    for (;;) {
      while (this.#cursor.sign() === ' ' || (this.#cursor.sign() === '\t' && (this.#isInFlow || !this.#mayBeKey)))
        this.#cursor.at++
      this.#cursor.skipComment()
      if (!isBreak(this.#cursor.code())) return
      this.#cursor.breakLine()
      if (!this.#isInFlow) this.#mayBeKey = true
    }
  }

  #put(kind: SignKind, length: number): void {
    this.#queue.push({ kind, start: this.#cursor.at, end: this.#cursor.at + length })
    this.#cursor.at += length
  }

  // ---- keys and blocks ----------------------------------------------------------------------------------------------

  /** Records that a key may begin here. */
  #rememberKey(): void {
    if (!this.#mayBeKey) return
    const required = !this.#isInFlow && this.#indent === this.#cursor.column
    this.#forgetKey()
    this.#keys[this.#keys.length - 1] = {
      at: this.#cursor.at,
      lineStart: this.#cursor.lineStart,
      tokenNumber: this.#taken + this.#queue.length,
      required,
    }
  }

  #forgetKey(): void {
    const level = this.#keys.length - 1
    this.#refuseIfRequired(this.#keys[level])
    this.#keys[level] = null
  }

  #dropStaleKeys(): void {
    for (let level = 0; level < this.#keys.length; level++) {
      const key = this.#keys[level]
      if (!key || (key.lineStart === this.#cursor.lineStart && key.at + MAX_KEY_LENGTH >= this.#cursor.at)) continue
      this.#refuseIfRequired(key)
      this.#keys[level] = null
    }
  }

  #refuseIfRequired(key: PossibleKey | null | undefined): void {
    if (!key?.required) return
    const [line = ''] = /^.*/.exec(this.#cursor.text.slice(key.at, key.at + MAX_KEY_LENGTH)) ?? []
    throw new YamlRefusal(key.at, key.at + Math.max(line.trimEnd().length, 1), NO_COLON, "':'")
  }

  /** Opens a block if the column is deeper. @param waitingCount the number of waiting tokens before the block */
  #openBlock(column: number, kind: 'block-list' | 'block-map', start: number, waitingCount: number): void {
    if (this.#isInFlow || column <= this.#indent) return
    this.#around.push(this.#indent)
    this.#indent = column
    this.#queue.splice(waitingCount, 0, { kind, start, end: start })
  }

  #closeBlocks(column: number): void {
    if (this.#isInFlow) return
    while (this.#indent > column) {
      this.#queue.push({ kind: 'block-end', start: this.#cursor.at, end: this.#cursor.at })
      this.#indent = this.#around.pop() ?? -1
    }
  }

  #leaveAll(): void {
    this.#closeBlocks(-1)
    this.#forgetKey()
    this.#mayBeKey = false
  }

  // ---- signs --------------------------------------------------------------------------------------------------------

  #end(): void {
    this.#leaveAll()
    this.#hasEnded = true
    this.#put('end', 0)
  }

  #document(kind: '---' | '...'): void {
    this.#leaveAll()
    this.#put(kind, 3)
  }

  #openFlow(kind: '[' | '{'): void {
    this.#rememberKey()
    this.#keys.push(null)
    this.#mayBeKey = true
    this.#put(kind, 1)
  }

  #closeFlow(kind: ']' | '}'): void {
    this.#forgetKey()
    if (this.#isInFlow) this.#keys.pop()
    this.#mayBeKey = false
    this.#put(kind, 1)
  }

  #nextInFlow(): void {
    this.#forgetKey()
    this.#mayBeKey = true
    this.#put(',', 1)
  }

  #entry(): void {
    // Inside brackets, the parser rejects a dash.
    if (!this.#isInFlow && !this.#mayBeKey) this.#cursor.refuse(WRONG_PLACE)
    this.#openBlock(this.#cursor.column, 'block-list', this.#cursor.at, this.#queue.length)
    this.#forgetKey()
    this.#mayBeKey = true
    this.#put('-', 1)
  }

  #key(): void {
    if (!this.#isInFlow && !this.#mayBeKey) this.#cursor.refuse(WRONG_PLACE)
    this.#openBlock(this.#cursor.column, 'block-map', this.#cursor.at, this.#queue.length)
    this.#forgetKey()
    this.#mayBeKey = !this.#isInFlow
    this.#put('?', 1)
  }

  #value(): void {
    const level = this.#keys.length - 1
    const key = this.#keys[level]
    if (key) {
      const waitingCount = key.tokenNumber - this.#taken
      this.#queue.splice(waitingCount, 0, { kind: '?', start: key.at, end: key.at })
      this.#openBlock(key.at - key.lineStart, 'block-map', key.at, waitingCount)
      this.#keys[level] = null
      this.#mayBeKey = false
    } else {
      if (!this.#isInFlow && !this.#mayBeKey) this.#refuseColon()
      this.#openBlock(this.#cursor.column, 'block-map', this.#cursor.at, this.#queue.length)
      this.#mayBeKey = !this.#isInFlow
    }
    this.#put(':', 1)
  }

  /** Reports a multi-line text before a colon: its first line lacks a colon. */
  #refuseColon(): never {
    const { at, text } = this.#cursor
    const { start, end } = this.#scalar ?? { start: at, end: at }
    const [line = ''] = /^.*/.exec(text.slice(start, end)) ?? []
    const isBroken = line.length < end - start && text.slice(end, at).trim() === ''
    if (!isBroken) this.#cursor.refuse(WRONG_COLON)
    throw new YamlRefusal(start, start + line.trimEnd().length, NO_COLON)
  }

  // ---- names --------------------------------------------------------------------------------------------------------

  #directive(): void {
    this.#leaveAll()
    const [all, yaml, major = '', minor = '', handle = '', prefix = ''] = this.#cursor.match(DIRECTIVE) ?? []
    if (all === undefined) this.#cursor.refuse(WRONG_START)
    const start = this.#cursor.at
    this.#cursor.at += all.length
    this.#cursor.endLine()
    // The line break is consumed here, so that no key may begin on the next line, as in libyaml.
    if (this.#cursor.code() !== 0) this.#cursor.breakLine()
    const directive = { kind: 'directive', start, end: start + all.length } as const
    this.#queue.push(
      yaml === undefined
        ? { ...directive, name: 'TAG', values: [handle, prefix] }
        : { ...directive, name: yaml, values: [major, minor] },
    )
  }

  #named(sign: '*' | '&'): void {
    this.#rememberKey()
    this.#mayBeKey = false
    const start = this.#cursor.at++
    while (/[\w-]/.test(this.#cursor.sign())) this.#cursor.at++
    if (this.#cursor.at === start + 1 || !(endsWord(this.#cursor.code()) || '?:,]}%@`'.includes(this.#cursor.sign())))
      this.#cursor.refuse(`a name of letters and digits is expected after \`${sign}\``)
    const name = this.#cursor.text.slice(start + 1, this.#cursor.at)
    this.#queue.push({ kind: sign === '*' ? 'alias' : 'anchor', name, start, end: this.#cursor.at })
  }

  #tag(): void {
    this.#rememberKey()
    this.#mayBeKey = false
    const start = this.#cursor.at
    const [all, uri, handle = '', suffix = ''] = this.#cursor.match(TAG) ?? []
    if (all === undefined || (handle.length > 1 && suffix === ''))
      this.#cursor.refuse('the name of a type is expected here')
    this.#cursor.at += all.length
    if (!endsWord(this.#cursor.code()) && !(this.#isInFlow && this.#cursor.sign() === ','))
      this.#cursor.refuse(WRONG_PLACE)
    const named = uri === undefined && all !== '!' ? { handle, suffix } : { handle: '', suffix: uri ?? '!' }
    this.#queue.push({ kind: 'tag', ...named, start, end: this.#cursor.at })
  }

  // ---- texts --------------------------------------------------------------------------------------------------------

  #text(isPlain: boolean, text: ScalarText): void {
    this.#queue.push({ kind: 'scalar', isPlain, ...text })
  }

  #plain(): void {
    this.#rememberKey()
    const { scalar, isAfterBreak: isBehindBreak } = readPlain(this.#cursor, this.#indent, this.#isInFlow)
    this.#mayBeKey = isBehindBreak
    this.#scalar = scalar
    this.#text(true, scalar)
  }

  #quoted(): void {
    this.#rememberKey()
    this.#mayBeKey = false
    this.#text(false, readQuoted(this.#cursor))
  }

  #block(): void {
    this.#forgetKey()
    this.#mayBeKey = true
    this.#text(false, readBlock(this.#cursor, this.#indent))
  }
}
