/** Finds countries by ISO code or English name. */

/** ISO 3166-1 codes of each country: two letters, then three. */
const CODES = `ADAND AEARE AFAFG AGATG AIAIA ALALB AMARM AOAGO AQATA ARARG ASASM ATAUT AUAUS AWABW AXALA AZAZE BABIH BBBRB BDBGD BEBEL
  BFBFA BGBGR BHBHR BIBDI BJBEN BLBLM BMBMU BNBRN BOBOL BQBES BRBRA BSBHS BTBTN BVBVT BWBWA BYBLR BZBLZ CACAN CCCCK CDCOD
  CFCAF CGCOG CHCHE CICIV CKCOK CLCHL CMCMR CNCHN COCOL CRCRI CUCUB CVCPV CWCUW CXCXR CYCYP CZCZE DEDEU DJDJI DKDNK DMDMA
  DODOM DZDZA ECECU EEEST EGEGY EHESH ERERI ESESP ETETH FIFIN FJFJI FKFLK FMFSM FOFRO FRFRA GAGAB GBGBR GDGRD GEGEO GFGUF
  GGGGY GHGHA GIGIB GLGRL GMGMB GNGIN GPGLP GQGNQ GRGRC GSSGS GTGTM GUGUM GWGNB GYGUY HKHKG HMHMD HNHND HRHRV HTHTI HUHUN
  IDIDN IEIRL ILISR IMIMN ININD IOIOT IQIRQ IRIRN ISISL ITITA JEJEY JMJAM JOJOR JPJPN KEKEN KGKGZ KHKHM KIKIR KMCOM KNKNA
  KPPRK KRKOR KWKWT KYCYM KZKAZ LALAO LBLBN LCLCA LILIE LKLKA LRLBR LSLSO LTLTU LULUX LVLVA LYLBY MAMAR MCMCO MDMDA MEMNE
  MFMAF MGMDG MHMHL MKMKD MLMLI MMMMR MNMNG MOMAC MPMNP MQMTQ MRMRT MSMSR MTMLT MUMUS MVMDV MWMWI MXMEX MYMYS MZMOZ NANAM
  NCNCL NENER NFNFK NGNGA NINIC NLNLD NONOR NPNPL NRNRU NUNIU NZNZL OMOMN PAPAN PEPER PFPYF PGPNG PHPHL PKPAK PLPOL PMSPM
  PNPCN PRPRI PSPSE PTPRT PWPLW PYPRY QAQAT REREU ROROU RSSRB RURUS RWRWA SASAU SBSLB SCSYC SDSDN SESWE SGSGP SHSHN SISVN
  SJSJM SKSVK SLSLE SMSMR SNSEN SOSOM SRSUR SSSSD STSTP SVSLV SXSXM SYSYR SZSWZ TCTCA TDTCD TFATF TGTGO THTHA TJTJK TKTKL
  TLTLS TMTKM TNTUN TOTON TRTUR TTTTO TVTUV TWTWN TZTZA UAUKR UGUGA UMUMI USUSA UYURY UZUZB VAVAT VCVCT VEVEN VGVGB VIVIR
  VNVNM VUVUT WFWLF WSWSM YEYEM YTMYT ZAZAF ZMZMB ZWZWE`

const SHORT: ReadonlyMap<string, string> = new Map(
  CODES.split(/\s+/).flatMap((both): [string, string][] => {
    const short = both.slice(0, 2)
    return [
      [short, short],
      [both.slice(2), short],
    ]
  }),
)

/** Common names of countries that differ from their names in Unicode. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  'united states of america': 'US',
  'great britain': 'GB',
  england: 'GB',
  scotland: 'GB',
  wales: 'GB',
  'russian federation': 'RU',
  'korea, republic of': 'KR',
  'republic of korea': 'KR',
  'viet nam': 'VN',
  'czech republic': 'CZ',
  turkey: 'TR',
  'ivory coast': 'CI',
  'cape verde': 'CV',
  swaziland: 'SZ',
  macedonia: 'MK',
  burma: 'MM',
  'iran, islamic republic of': 'IR',
  'taiwan, province of china': 'TW',
  'hong kong': 'HK',
  macao: 'MO',
  palestine: 'PS',
}

let names: ReadonlyMap<string, string> | null = null

/** Returns the two-letter code of a country, which is given by a code or by its English name. Null when the country is unknown. */
export function countryCode(text: string): string | null {
  const trimmedText = text.trim()
  const code = SHORT.get(trimmedText.toUpperCase())
  if (code !== undefined) return code
  names ??= englishNames()
  return names.get(normalizeName(trimmedText)) ?? null
}

function englishNames(): ReadonlyMap<string, string> {
  const english = new Intl.DisplayNames(['en'], { type: 'region' })
  const codeByName = new Map(Object.entries(OTHER_NAMES))
  for (const code of new Set(SHORT.values())) codeByName.set(normalizeName(english.of(code) ?? code), code)
  return codeByName
}

/** Removes accents and case, and replaces `&` by `and`. */
function normalizeName(name: string): string {
  return name
    .slice(0, 80)
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .replaceAll('&', 'and')
    .replaceAll('’', "'")
    .toLowerCase()
}
