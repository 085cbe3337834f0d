/** A plain answer for tests of recordings. */
import type { RecordedAnswer } from '../../../../server/core/contracts/recording.ts'

export const ANSWER: RecordedAnswer = {
  ...{ id: 'r', kind: 'page', method: 'GET', url: '/', host: 'localhost', address: '127.0.0.1', status: 200 },
  ...{ template: 'app/views/pages/index.liquid', format: 'text/html', bytes: 10, redirectTo: null, error: null },
  ...{ requestHeaders: {}, responseHeaders: {}, job: null, isUpdate: false },
}
