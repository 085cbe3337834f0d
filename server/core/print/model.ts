/** Prints HTML documents as PDF: the types that other rooms use. */

/** A document to print. */
export interface PrintedDocument {
  readonly html: string
  /** Absolute URL of the document, with `http:` or `https:`. Relative addresses in it lead from here. */
  readonly url: string
  /** Milliseconds that waiting and printing may take together. The limit of the settings applies as well. */
  readonly time: number
}

/** A request for something that a document contains, such as an image, a font or a frame. The method is always GET. */
export interface ResourceRequest {
  /** Absolute URL, with `http:` or `https:`. */
  readonly url: string
  /** The header `accept`. */
  readonly accept: string
}

export interface Resource {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

/**
 * Answers the requests of a document. Nothing else can answer them, because the browser has no network. Returns null for a request that is
 * refused.
 */
export type AnswerResource = (request: ResourceRequest) => Promise<Resource | null>

export interface Printer {
  /**
   * Prints a document. The browser is started when it does not run.
   * @returns the PDF
   * @throws PrintFailure
   */
  print(document: PrintedDocument, answer: AnswerResource): Promise<Uint8Array>
}

export const FAILURES = ['unavailable', 'busy', 'time', 'memory', 'size', 'broken'] as const

/**
 * Why a document is not printed. `unavailable`: no browser can be started here; `busy`: too many documents wait; `time`, `memory`, `size`: the
 * document exceeds a limit; `broken`: the browser ended, or cannot print the document.
 */
export type FailureReason = (typeof FAILURES)[number]

/** The error for a document that is not printed. The message is a sentence that leads with the cause. */
export class PrintFailure extends Error {
  override readonly name = 'PrintFailure'
  constructor(
    message: string,
    readonly reason: FailureReason,
  ) {
    super(message)
  }
}

/** Maximum size of the HTML of a document in bytes. */
export const MAX_HTML = 10_000_000
/** Maximum size of a PDF in bytes. */
export const MAX_PDF = 50_000_000
/** Maximum size of one resource of a document in bytes. */
export const MAX_RESOURCE = 25_000_000
