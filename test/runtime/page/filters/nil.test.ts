/**
 * Results of filters for nil, on a site that throws errors. Every documented filter and alias gets nil as its input, and nil
 * for each of its arguments. `fixtures/filters.json` documents which filters reject it.
 */
import { describe, expect, it } from 'vitest'
import { createEngine } from '../../../../compiler/tools/engine.ts'
import { parseJson } from '../../../../runtime/page/values/json.ts'
import { readEntries, servicesOf } from '../../../support/filter-fixtures.ts'

/** Creates the variables of the rows; `none` is nil. Each render gets a new copy, because some filters change their input. */
const data = () =>
  parseJson(`{
    "t": "b-a", "n": 2.5, "list": [3, 1, 2], "rows": [{ "k": 1 }, { "k": 2 }], "many": [[1, 2], [3]],
    "hash": { "b": 1, "a": 2 }, "time": "2020-01-02T03:04:05Z", "none": null
  }`) as Record<string, unknown>

/** A filter, valid input and arguments, the JSON result for nil as input, and the results for nil as each argument in turn. */
type Row = readonly [filter: string, input: string, args: readonly string[], ofNil: string, withNil: readonly string[]]

/** `! ` precedes an error message. `…` means that the rest is not compared. */
const ROWS: readonly Row[] = [
  ['abs', 'n', [], '0', []],
  [
    'add_to_time',
    'time',
    ['1', "'d'"],
    "! add_to_time filter - cannot read a time from 'nil'",
    ['"2020-01-02T03:04:05.000Z"', "! add_to_time filter - unknown unit 'nil'"],
  ],
  ['advanced_format', 'n', ["'%s'"], '""', ['""']],
  ['amount_to_fractional', 'n', ["'USD'"], '0', ['250']],
  ['append', 't', ["'c'"], '"c"', ['"b-a"']],
  ['array_add', 'list', ['9'], '[9]', ['[3,1,2,null]']],
  ['array_any', 'list', ['1'], 'false', ['false']],
  ['array_compact', 'rows', ["'k'"], '[]', ['[{"k":1},{"k":2}]']],
  ['array_delete', 'list', ['1'], '[]', ['[3,1,2]']],
  [
    'array_delete_at',
    'list',
    ['0'],
    '! array_delete_at filter - index must be an integer inside the array',
    ['! array_delete_at filter - index must be an integer inside the array'],
  ],
  ['array_detect', 'rows', ['hash'], 'null', ['{"k":1}']],
  ['array_find_index', 'rows', ['hash'], '[]', ['[0,1]']],
  ['array_flatten', 'many', [], '[]', []],
  ['array_group_by', 'rows', ["'k'"], '{}', ['{"":[{"k":1},{"k":2}]}']],
  ['array_in_groups_of', 'list', ['2'], '[]', ['! array_in_groups_of filter - number of elements must be a p…']],
  ['array_include', 'list', ['1'], 'false', ['false']],
  ['array_index_of', 'list', ['1'], 'null', ['null']],
  ['array_intersect', 'list', ['list'], '[]', ['[]']],
  ['array_limit', 'list', ['2'], '[]', ['! array_limit filter - limit must be a positive integer']],
  ['array_map', 'rows', ["'k'"], '[]', ['[[null],[null]]']],
  ['array_prepend', 'list', ['9'], '[9]', ['[null,3,1,2]']],
  ['array_reject', 'rows', ['hash'], '[]', ['[]']],
  ['array_rotate', 'list', ['1'], '[]', ['! array_rotate filter - count must be an integer']],
  ['array_select', 'rows', ['hash'], '[]', ['[{"k":1},{"k":2}]']],
  ['array_shuffle', 'list', [], '[]', []],
  ['array_sort_by', 'rows', ["'k'"], '[]', ['[{"k":1},{"k":2}]']],
  ['array_subtract', 'list', ['list'], '[]', ['[3,1,2]']],
  ['array_sum', 'list', [], '0', []],
  ['array_uniq', 'rows', ["'k'"], '[]', ['[{"k":1},{"k":2}]']],
  ['asset_name_to_raw_url', 't', [], 'null', []],
  ['asset_path', 't', [], '"/assets/?updated=0"', []],
  ['asset_url', 't', [], '"/assets/?updated=0"', []],
  ['at_least', 'n', ['1'], '1', ['2.5']],
  ['at_most', 'n', ['1'], '0', ['0']],
  ['base64_decode', 't', [], '""', []],
  ['base64_encode', 't', [], '""', []],
  ['base64_url_safe_decode', 't', [], '""', []],
  ['base64_url_safe_encode', 't', [], '""', []],
  ['capitalize', 't', [], '""', []],
  ['ceil', 'n', [], '0', []],
  [
    'compute_hmac',
    't',
    ["'k'", "'sha1'", "'hex'"],
    '"3a84a218ee6665209bb70e84525dd837645a1965"',
    [
      '"ad375acc8b7b99e72cb25c54d36c24b358ab86aa"',
      "! compute_hmac filter - unknown algorithm '', it is one of m…",
      '! compute_hmac filter - the form must be hex, base64 or none',
    ],
  ],
  ['concat', 'list', ['list'], '[3,1,2]', ['! concat filter requires an array argument']],
  ['date', 'time', ["'%Y'"], 'null', ['"2020-01-02T03:04:05Z"']],
  [
    'date_add',
    'time',
    ['1', "'d'"],
    "! date_add filter - cannot read a time from 'nil'",
    ['"2020-01-02"', "! date_add filter - unknown unit 'nil'"],
  ],
  [
    'decrypt',
    't',
    ["'aes-256-cbc'", "'ThisPasswordIsReallyHardToGuessA'", 'hash'],
    '! decrypt filter - the payload cannot be decrypted',
    [
      "! decrypt filter - unknown algorithm '', it is one of aes-12…",
      '! decrypt filter - the key of aes-256-cbc must be 32 bytes, not 0',
      '! decrypt filter - the payload cannot be decrypted',
    ],
  ],
  ['deep_clone', 'hash', [], 'null', []],
  ['default', 't', ["'d'"], '"d"', ['"b-a"']],
  [
    'digest',
    't',
    ["'sha1'", "'hex'"],
    '"da39a3ee5e6b4b0d3255bfef95601890afd80709"',
    [
      "! digest filter - unknown algorithm '', it is one of md5, sh…",
      '! digest filter - the form must be hex, base64 or none',
    ],
  ],
  ['divided_by', 'n', ['2'], '0', ['null']],
  ['downcase', 't', [], '""', []],
  ['download_file', 't', ['1'], '! there is nothing at ', ['! there is nothing at b-a']],
  [
    'ecdh_compute',
    't',
    ["'k'", "'hex'"],
    '! ecdh_compute filter - the private key cannot be read',
    [
      '! ecdh_compute filter - the private key cannot be read',
      '! ecdh_compute filter - the private key cannot be read',
    ],
  ],
  [
    'encode',
    't',
    ["'UTF-8'", "'UTF-8'"],
    '""',
    ['! encode filter - unknown encoding name - ', '! encode filter - unknown encoding name - '],
  ],
  ['encoding', 't', [], '"UTF-8"', []],
  [
    'encrypt',
    't',
    ["'aes-256-cbc'", "'ThisPasswordIsReallyHardToGuessA'", "'0123456789abcdef'", 'hash'],
    '"MDEyMzQ1Njc4OWFiY2RlZpavMj8uBh8wt0Xo5IFHwcU="',
    [
      "! encrypt filter - unknown algorithm '', it is one of aes-12…",
      '! encrypt filter - the key of aes-256-cbc must be 32 bytes, not 0',
      '"…',
      '"MDEyMzQ1Njc4OWFiY2RlZsuar7VnikFBRixB-oThs5A="',
    ],
  ],
  ['end_with', 't', ["'a'"], '! end_with filter - first argument must be a string', ['false']],
  ['escape', 't', [], 'null', []],
  ['escape_javascript', 't', [], '""', []],
  ['escape_once', 't', [], '""', []],
  ['expand_url_template', 't', ['hash'], '""', ['"b-a"']],
  ['extract_url_params', 't', ["'/{x}'"], 'null', ['null']],
  ['find', 'rows', ["'k'", '1'], 'null', ['null', '{"k":1}']],
  ['find_index', 'rows', ["'k'", '1'], 'null', ['null', '0']],
  ['first', 'list', [], 'null', []],
  ['floor', 'n', [], '0', []],
  ['force_encoding', 't', ["'UTF-8'"], '""', ['! force_encoding filter - unknown encoding name - ']],
  ['format_number', 'n', ['hash'], "! format_number filter - unknown option 'b'", ['"2.500"']],
  ['fractional_to_amount', '250', ["'USD'"], '0.0', ['2.5']],
  ['gzip_compress', 't', [], '"\\u001f\\udc8b\\b\\u0000\\u0000\\u0000\\u0000\\u0000\\u0000\\u0003…', []],
  ['gzip_decompress', 't', [], '! gzip_decompress filter - the text is not compressed by gzip', []],
  ['has', 'rows', ["'k'", '1'], 'false', ['false', 'true']],
  [
    'hash_add_key',
    'hash',
    ["'c'", '1'],
    '! hash_add_key filter - first argument must be a hash',
    ['{"b":1,"a":2,"":1}', '{"b":1,"a":2,"c":null}'],
  ],
  ['hash_delete_key', 'hash', ["'a'"], '! hash_delete_key filter - first argument must be a hash', ['null']],
  ['hash_diff', 'hash', ['hash', 'hash'], '[["+","a",2],["+","b",1]]', ['[["-","a",2],["-","b",1]]', '[]']],
  ['hash_dig', 'hash', ["'a'", "'b'"], 'null', ['null', 'null']],
  ['hash_except', 'hash', ["'a'"], '{}', ['{"b":1,"a":2}']],
  ['hash_fetch', 'hash', ["'a'"], 'null', ['null']],
  ['hash_keys', 'hash', [], '[]', []],
  ['hash_merge', 'hash', ['hash'], '{"b":1,"a":2}', ['{"b":1,"a":2}']],
  ['hash_sort', 'hash', [], '{}', []],
  ['hash_values', 'hash', [], '[]', []],
  ['hcaptcha', 'hash', [], 'false', []],
  [
    'hkdf',
    't',
    ["'s'", "'i'", '8', "'sha256'"],
    '"\\udce7\\udcee8\\udcc8\\udce7\\t\\udcae\\udca4"',
    [
      '"\\udcee\\udc9d\\udcb1\\udc8eB\\rI7"',
      '"\\u0011^_w_\\udc82\\udc88\\u0013"',
      '"\\u001a-\\u001a\\udc9a\\u001f{\\udcb2\\udce18\\udcd9|\\u0000h\\udcaa…',
      '"\\u001a-\\u001a\\udc9a\\u001f{\\udcb2\\udce1"',
    ],
  ],
  ['html_safe', 't', ['hash'], '""', ['"b-a"']],
  ['html_to_text', 't', ['hash'], '""', ['"b-a"']],
  ['humanize', 't', [], '""', []],
  [
    'is_date_before',
    'time',
    ["'2021-01-01'"],
    "! is_date_before filter - cannot read a time from 'nil'",
    ["! is_date_before filter - cannot read a time from 'nil'"],
  ],
  ['is_date_in_past', 'time', [], "! is_date_in_past filter - cannot read a time from 'nil'", []],
  ['is_email_valid', 't', [], 'false', []],
  ['is_gpg_valid', 't', [], 'false', []],
  ['is_json_valid', 't', [], 'false', []],
  ['is_parsable_date', 't', [], 'false', []],
  ['is_token_valid', 't', ['1'], 'false', ['false']],
  ['join', 'list', ["'-'"], '""', ['"312"']],
  ['json', 't', [], '"null"', []],
  [
    'jwe_encode',
    "'{}'",
    ["'k'", "'RSA-OAEP'", "'A256GCM'"],
    '! jwe_encode filter - the public key cannot be read',
    [
      '! jwe_encode filter - the public key cannot be read',
      "! jwe_encode filter - unknown algorithm '', it is one of RSA…",
      "! jwe_encode filter - unknown algorithm '', it is one of A12…",
    ],
  ],
  [
    'jwt_decode',
    't',
    ["'HS256'", "'s'", 'false', 'hash'],
    '! jwt_decode filter - not enough or too many segments',
    [
      "! jwt_decode filter - unknown algorithm '', it is one of non…",
      '! jwt_decode filter - not enough or too many segments',
      '! jwt_decode filter - not enough or too many segments',
      '! jwt_decode filter - not enough or too many segments',
    ],
  ],
  [
    'jwt_encode',
    'hash',
    ["'HS256'", "'s'", 'hash'],
    '! jwt_encode filter - first argument must be a hash or a str…',
    [
      "! jwt_encode filter - unknown algorithm '', it is one of non…",
      '! jwt_encode filter - the secret must not be empty',
      '"eyJ0eXAiOiJKV1QiLCJhbGciOiJIUzI1NiJ9.eyJiIjoxLCJhIjoyfQ.OOy…',
    ],
  ],
  ['l', 'time', ["'%Y'", "'UTC'"], 'null', ['"Thu, 01/02/2020 03:04"', '"2020"']],
  ['last', 'list', [], 'null', []],
  ['lstrip', 't', [], '""', []],
  ['map', 'rows', ["'k'"], '[]', ['[null,null]']],
  ['markdown', 't', ['hash', 'hash'], '""', ['"\\u003cp\\u003eb-a\\u003c/p\\u003e\\n"', '"b-a\\n"']],
  ['matches', 't', ["'b'", "'i'"], 'null', ['null', 'true']],
  ['minus', 'n', ['1'], '-1', ['2.5']],
  ['modulo', 'n', ['2'], '0', ['! divided by 0']],
  ['new_line_to_br', 't', [], '""', []],
  ['newline_to_br', 't', [], '""', []],
  ['pad_left', 't', ['5', "'-'"], '"-----"', ['! pad_left filter - count must be an integer', '"b-a"']],
  ['parameterize', 't', ["'_'"], '""', ['"b-a"']],
  ['parse_csv', 't', ['hash'], '[]', ['[["b-a"]]']],
  ['parse_json', "'1'", ['hash'], 'null', ['1']],
  ['parse_xml', "'<a/>'", ['hash'], '! parse_xml filter - invalid XML in line 1: Start tag expected.', ['{"a":[{}]}']],
  ['pluralize', "'dog'", ['2'], '""', ['! pluralize filter - count must be an integer']],
  ['plus', 'n', ['1'], '1', ['2.5']],
  ['prepend', 't', ["'c'"], '"c"', ['"b-a"']],
  ['pricify', 'n', ["'USD'", 'hash'], '"$0"', ['"$2.50"', '"$2.50"']],
  ['pricify_cents', '250', ["'USD'", 'hash'], '"$0"', ['"$2.50"', '"$2.50"']],
  ['querify', 'hash', [], '""', []],
  ['random_string', '4', [], '"…', []],
  ['raw_escape_string', 't', [], '""', []],
  [
    'regex_matches',
    't',
    ["'b'", "'i'"],
    '[]',
    ['! regex_matches filter - the regular expression must be a string', '["b"]'],
  ],
  ['remove', 't', ["'a'"], '""', ['"b-a"']],
  ['remove_first', 't', ["'a'"], '""', ['"b-a"']],
  ['remove_last', 't', ["'a'"], '""', ['"b-a"']],
  ['replace', 't', ["'a'", "'c'"], '""', ['"cbc-cac"', '"b-"']],
  ['replace_first', 't', ["'a'", "'c'"], '""', ['"cb-a"', '"b-"']],
  ['replace_last', 't', ["'a'", "'c'"], '""', ['"b-ac"', '"b-"']],
  [
    'replace_regex',
    't',
    ["'a'", "'c'", "'i'", 'true'],
    '""',
    ['! replace_regex filter - the regular expression must be a string', '"b-"', '"b-c"', '"b-c"'],
  ],
  ['reverse', 'list', [], '[]', []],
  ['round', 'n', ['1'], '0', ['3']],
  ['rstrip', 't', [], '""', []],
  ['sanitize', 't', ['hash', 'list'], '""', ['"b-a"', '"b-a"']],
  ['scrub', 't', ["'UTF-8'", "'UTF-8'"], '""', ['"b-a"', '"b-a"']],
  ['sha1', 't', [], '"da39a3ee5e6b4b0d3255bfef95601890afd80709"', []],
  ['size', 't', [], '0', []],
  ['slice', 't', ['1', '1'], '""', ['! invalid integer', '"-"']],
  ['slugify', 't', [], '""', []],
  ['sort', 'rows', ["'k'"], '[]', ['! cannot sort values of incompatible types']],
  ['sort_natural', 'rows', ["'k'"], '[]', ['[{"k":1},{"k":2}]']],
  ['split', 't', ["'-'"], '[]', ['["b","-","a"]']],
  ['start_with', 't', ["'b'"], '! start_with filter - first argument must be a string', ['false']],
  ['strftime', 'time', ["'%Y'", "'UTC'", "'now'"], 'null', ['""', '"2020"', '"2020"']],
  ['strip', 't', [], '""', []],
  ['strip_html', 't', [], '""', []],
  ['strip_liquid', 't', [], '""', []],
  ['strip_newlines', 't', [], '""', []],
  ['sum', 'rows', ["'k'"], '0', ['0']],
  ['t', 't', ['hash'], '"translation missing: en."', ['"translation missing: en.b-a"']],
  ['t_escape', 't', ['hash'], '"translation missing: en."', ['"translation missing: en.b-a"']],
  [
    'time_diff',
    'time',
    ['time', "'h'", '1'],
    "! time_diff filter - cannot read a time from 'nil'",
    ["! time_diff filter - cannot read a time from 'nil'", '0.0', '! time_diff filter - precision must be an integer'],
  ],
  ['times', 'n', ['2'], '0', ['0.0']],
  ['titleize', 't', [], '""', []],
  ['to_csv', 'many', ['hash'], '""', ['"1,2\\n3"']],
  ['to_date', 'time', [], "! to_date filter - cannot read a time from 'nil'", []],
  ['to_mobile_number', "'500123999'", ["'PL'"], 'null', ['null']],
  ['to_positive_integer', 't', ['1'], '1', ['! to_positive_integer filter - default must be an integer']],
  [
    'to_time',
    'time',
    ["'UTC'", "''", "'now'"],
    "! to_time filter - cannot read a time from 'nil'",
    ['"2020-01-02T03:04:05.000Z"', '"2020-01-02T03:04:05.000Z"', '"2020-01-02T03:04:05.000Z"'],
  ],
  [
    'to_xml',
    'hash',
    ['hash'],
    '"\\u003copt\\u003e\\u003c/opt\\u003e\\n"',
    ['"\\u003copt b=\\"1\\" a=\\"2\\" /\\u003e\\n"'],
  ],
  ['truncate', 't', ['2', "'.'"], 'null', ['! invalid integer', '"b-"']],
  ['truncatewords', 't', ['2', "'.'"], 'null', ['! invalid integer', '"b-a"']],
  ['type_of', 't', [], '"null"', []],
  ['unescape_javascript', 't', [], '""', []],
  ['uniq', 'rows', ["'k'"], '[]', ['[{"k":1},{"k":2}]']],
  ['upcase', 't', [], '""', []],
  ['url_decode', 't', [], 'null', []],
  ['url_encode', 't', [], 'null', []],
  [
    'url_to_qrcode_svg',
    't',
    ['hash'],
    '"\\u003c?xml version=\\"1.0\\" standalone=\\"yes\\"?\\u003e\\u003cs…',
    ['"\\u003c?xml version=\\"1.0\\" standalone=\\"yes\\"?\\u003e\\u003cs…'],
  ],
  ['useragent', 't', [], '{"family":"Other","version":{"version":null,"major":null,"mi…', []],
  ['uuid', 't', [], '"…', []],
  ['verify_access_key', 't', [], 'false', []],
  ['video_params', 't', [], 'null', []],
  ['videoify', 't', ['hash'], '""', ['""']],
  ['where', 'rows', ["'k'", '1'], '[]', ['[]', '[{"k":1},{"k":2}]']],
  ['www_form_encode', 'hash', [], '""', []],
]

async function renderResult(input: string, filter: string, args: readonly string[]): Promise<string> {
  const call = `${input} | ${filter}${args.length > 0 ? `: ${args.join(', ')}` : ''}`
  const engine = createEngine({
    files: { main: `{% assign found = ${call} %}{{ found | json }}` },
    format: 'txt',
    errors: 'raise',
    now: Date.parse('2020-06-01T00:00:00Z'),
    services: servicesOf({}),
  })
  expect(engine.diagnostics.filter((each) => each.severity === 'error')).toEqual([])
  return engine.render('main', { ...data(), context: { params: {} } }).catch((error: Error) => `! ${error.message}`)
}

function expectResult(found: string, expected: string): void {
  if (expected.endsWith('…')) expect(found.slice(0, expected.length - 1)).toBe(expected.slice(0, -1))
  else expect(found).toBe(expected)
}

const entries = readEntries()

describe('nil', () => {
  it('is tried with every filter', () => {
    const tried = new Set(ROWS.map(([filter]) => filter))
    expect(entries.filter(({ name, aliasOf }) => !tried.has(aliasOf ?? name)).map(({ name }) => name)).toEqual([])
  })

  for (const [filter, input, args, ofNil, withNil] of ROWS) {
    for (const { name } of entries.filter((entry) => entry.name === filter || entry.aliasOf === filter)) {
      it(`as the input of ${name} is ${ofNil}`, async () => expectResult(await renderResult('none', name, args), ofNil))
      args.forEach((_, at) => {
        it(`as argument ${at + 1} of ${name} is ${withNil[at]}`, async () => {
          const found = await renderResult(input, name, args.with(at, 'none'))
          expectResult(found, withNil[at] ?? '')
        })
      })
    }
  }
})
