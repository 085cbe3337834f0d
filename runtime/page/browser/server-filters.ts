/**
 * The filters that a browser does not have, by their names in the registry: their code needs Node's own modules, or tables and parsers
 * that are too large for a page. The bundles for browsers are made without them, and the checker says so of every use.
 */
export const SERVER_FILTERS: readonly string[] = [
  // Keys and ciphers: OpenSSL's.
  'decrypt',
  'ecdh_compute',
  'encrypt',
  'is_gpg_valid',
  'jwe_encode',
  'jwt_decode',
  'jwt_encode',
  // zlib's.
  'gzip_compress',
  'gzip_decompress',
  // Tables of encodings, of telephone numbers and of browsers; parsers of XML and Markdown; selectors in HTML; codes to be scanned.
  'encode',
  'encoding',
  'force_encoding',
  'html_to_text',
  'markdown',
  'parse_xml',
  'scrub',
  'to_mobile_number',
  'url_to_qrcode_svg',
  'useragent',
]
