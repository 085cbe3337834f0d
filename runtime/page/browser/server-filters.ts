/**
 * The filters that browsers do not have, by their names in the registry. Their code needs Node's own modules, or
 * tables and parsers that are too large for a page. Bundles for browsers omit them, and the checker reports every
 * use.
 */
export const SERVER_FILTERS: readonly string[] = [
  // Keys and ciphers of OpenSSL.
  'decrypt',
  'ecdh_compute',
  'encrypt',
  'is_gpg_valid',
  'jwe_encode',
  'jwt_decode',
  'jwt_encode',
  // zlib.
  'gzip_compress',
  'gzip_decompress',
  // Tables of encodings, telephone numbers and browsers; parsers of XML and Markdown; selectors in HTML; QR codes.
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
