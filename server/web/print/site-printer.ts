/** Prints pages and uploads of a site as PDF. */
import { createOutgoing, type OriginOverrides, type Outgoing } from '../../core/net/outgoing.ts'
import { createPrinter } from '../../core/print/client.ts'
import type { Printer } from '../../core/print/model.ts'
import type { PrintSettings, S3Settings } from '../../core/settings.ts'
import { hostFilter } from '../http/host-names.ts'
import type { Handler, Request } from '../http/message.ts'
import { createResources, type ResourceOptions } from './resources.ts'

/** The printing of a process. */
export interface Printing {
  /**
   * Prints HTML.
   * @param request the request or the job that needs the PDF; the document has its URL
   * @param time milliseconds that waiting and printing may take together
   * @param handler answers requests of the document for the site
   * @throws PrintFailure
   */
  print(html: string, request: PrintingRequest, time: number, handler: Handler): Promise<Uint8Array>
  close(): void
}

export type PrintingRequest = Pick<Request, 'protocol' | 'host' | 'url' | 'id'>

export interface PrintingOptions {
  readonly print: PrintSettings
  readonly dataFolder: string
  readonly assetsUrl: string | null
  readonly s3: S3Settings | null
  readonly originOverrides: OriginOverrides
  /** Path of the program of the printing process. */
  readonly program: string
}

/** The host of documents whose request has none. */
const NO_HOST = 'site.invalid'

/** Creates the printing of a process. Nothing is started before the first document. */
export function openPrinting(options: PrintingOptions): Printing {
  const { print: settings, dataFolder, program, assetsUrl, s3, originOverrides } = options
  const printer: Printer & { close(): void } = createPrinter({ program, dataFolder, settings })
  const clients: Outgoing[] = []
  const client = (given: Parameters<typeof createOutgoing>[0]): Outgoing => {
    const opened = createOutgoing({ originOverrides, ...given })
    clients.push(opened)
    return opened
  }
  const common: Omit<ResourceOptions, 'handler'> = {
    isAllowedHost: hostFilter(settings.hosts),
    assetsUrl,
    fileUrls: s3 === null ? [] : fileUrlsOf(s3),
    outgoing: client({}),
    // Its address is in the settings, so it is not checked.
    fileStore: client({ guard: () => true }),
  }
  return {
    print(html, request, time, handler) {
      const host = request.host === '' || !URL.canParse(`http://${request.host}/`) ? NO_HOST : request.host
      const document = { protocol: request.protocol, host, id: request.id }
      const url = new URL(request.url, `${request.protocol}://${host}`).href
      return printer.print({ html, url, time }, createResources(document, { ...common, handler }))
    },
    close() {
      printer.close()
      for (const each of clients) each.close()
    },
  }
}

function fileUrlsOf({ endpoint, bucket, publicUrl }: S3Settings): readonly string[] {
  return [`${endpoint}/${encodeURIComponent(bucket)}/`, ...(publicUrl === null ? [] : [`${publicUrl}/`])]
}
