/** Reading the JSON format piece by piece. */
import { expect, test } from 'vitest'
import { readJson } from '../../../../server/web/transfer/json-reader.ts'
import type { ReadRow } from '../../../../server/web/transfer/rows.ts'
import { pieces } from './support.ts'

async function read(text: string | Uint8Array, size?: number): Promise<readonly ReadRow[]> {
  const all: ReadRow[] = []
  for await (const row of readJson('f', pieces(text, size))) all.push(row)
  return all
}

const TEXT = `\ufeff{ "version" : 1,
  "users": [ ],
  "tables": {"a": [{"x":"}]\\"\\\\"}, 7 ,[["]"]] , "t\\"", null,true],
    "é\\n": [ {"🙂": "🙂"}
      ,{
        "deep": {"a": [1, {"b": "{"}]}
      }]
  }, "format": "ingot-data", "users": [{}]
}
`

test('it gives the rows with their places, wherever the pieces end', async () => {
  const whole = await read(TEXT, 1 << 20)
  expect(
    whole.map((row) => [
      row.location.table,
      row.location.row,
      row.location.line,
      row.kind === 'row' ? row.value : null,
    ]),
  ).toEqual([
    ['a', 1, 3, { x: '}]"\\' }],
    ['a', 2, 3, 7],
    ['a', 3, 3, [[']']]],
    ['a', 4, 3, 't"'],
    ['a', 5, 3, null],
    ['a', 6, 3, true],
    ['é\n', 1, 4, { '🙂': '🙂' }],
    ['é\n', 2, 5, { deep: { a: [1, { b: '{' }] } }],
    [null, 1, 8, {}],
  ])
  for (const size of [1, 2, 3, 5, 7, 11, 64]) expect(await read(TEXT, size)).toEqual(whole)
})

test('a text that is cut off anywhere is refused', async () => {
  const bytes = Buffer.from(TEXT.trim())
  for (let length = 0; length < bytes.length; length++)
    await expect(read(bytes.subarray(0, length), 64), `cut at ${length}`).rejects.toThrow(/ends too early|not UTF-8/)
})

test.each([
  ['[]', 'f:1: a data file must be one JSON object.'],
  ['{"tables":{}} x', 'f:1: unexpected text after the end of the data.'],
  ['{"table":{}}', 'f:1: the key `table` is unknown: a data file has format, version, users, tables and documents.'],
  ['{"tables":[]}', 'f:1: `tables` must be an object with the rows of each table by name.'],
  ['{"tables":{"a":{}}}', 'f:1: the rows of table `a` must be an array.'],
  ['{"users":{}}', 'f:1: the rows of `users` must be an array.'],
  ['{"version":2}', 'f:1: version 2 of the format is not supported.'],
  ['{"format":"other"}', 'f:1: `format` is not "ingot-data".'],
  ["{'tables':{}}", 'f:1: a name in double quotes is expected.'],
  ['{"tables" {}}', 'f:1: a colon is expected after "tables".'],
  ['{"tables":{"a":[\n1 2]}}', 'f:2: a comma or a closing bracket is expected after row 1 of table `a`.'],
  ['{"tables":{"a":[1,]}}', "f:1: ']' is unexpected."],
  ['{"tables":{"a":[{}]}', 'f:1: the file ends too early.'],
  ['{"tables":{"a":[\n\n{"x":1', 'f:3: the value that starts here is not complete: the file ends too early.'],
])('%j is refused', async (text, sentence) => {
  await expect(read(text)).rejects.toThrow(sentence)
})

test('a broken row is one fault, and what follows is read', async () => {
  const found = await read(`{"tables":{"a":[{'x':1}, {"x":1,}, {"x" 1}, {"y":2}, nul, 3]}}`)
  expect(found.map((row) => ('value' in row ? row.value : row.reason.slice(0, 14)))).toEqual([
    'it is not JSON',
    'it is not JSON',
    'it is not JSON',
    { y: 2 },
    'it is not JSON',
    3,
  ])
})

test('a row is at most 16 MB, and bytes that are no UTF-8 never become data', async () => {
  const long = `{"tables":{"a":[{"x":"${'y'.repeat(17 * 1024 * 1024)}"}]}}`
  await expect(read(long, 1 << 16)).rejects.toThrow('f:1: the row that starts here is larger than 16 MB.')
  await expect(read(Buffer.from([0x7b, 0x22, 0xff, 0x22]))).rejects.toThrow('not UTF-8')
})
