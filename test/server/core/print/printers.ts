/** Creates printers for tests, with the installed Chromium and the product's printing process. */
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { createPrinter } from '../../../../server/core/print/client.ts'
import { findChromium } from '../../../../server/core/print/find-chromium.ts'
import type { AnswerResource, FailureReason, Printer } from '../../../../server/core/print/model.ts'
import { PrintFailure } from '../../../../server/core/print/model.ts'
import type { PrintSettings } from '../../../../server/core/settings.ts'
import { builtProduct } from '../../../support/product.ts'

export const chromium = findChromium(null)

/** For the names of suites that are skipped without Chromium. */
export const skipReason = chromium === null ? ' (left out: no Chromium is installed)' : ''

export interface TestPrinter {
  readonly printer: Printer & { close(): void }
  /** Prints HTML as a document of `http://site.test/`; returns the PDF, or why it was refused. */
  print(html: string, answer?: AnswerResource): Promise<Uint8Array | FailureReason>
}

/** Returns a printer with its own printing process. */
export function testPrinter(settings: Partial<PrintSettings> = {}, idle?: number): TestPrinter {
  const limits = { chromium: null, seconds: 60, memory: 512, atOnce: 1, hosts: [], sandbox: true, ...settings }
  const printer = createPrinter({
    program: join(builtProduct(), 'dist', 'print-worker.mjs'),
    dataFolder: randomUUID(),
    settings: limits,
    ...(idle !== undefined && { idle }),
  })
  return {
    printer,
    async print(html, answer = async () => null) {
      try {
        return await printer.print(
          { html, url: 'http://site.test/doc', time: Math.max(120_000, limits.seconds * 1000) },
          answer,
        )
      } catch (error) {
        if (error instanceof PrintFailure) return error.reason
        throw error
      }
    },
  }
}
