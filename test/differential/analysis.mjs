/** Analyzers of all languages, and chains of tokenizers and filters with their options, over texts of many scripts. */
import { call, emptyWorld, SETTINGS } from './steps.mjs'

const LANGUAGES = [
  'arabic',
  'armenian',
  'basque',
  'bengali',
  'brazilian',
  'bulgarian',
  'catalan',
  'cjk',
  'czech',
  'danish',
  'dutch',
  'english',
  'estonian',
  'finnish',
  'french',
  'galician',
  'german',
  'greek',
  'hindi',
  'hungarian',
  'indonesian',
  'irish',
  'italian',
  'latvian',
  'lithuanian',
  'norwegian',
  'persian',
  'portuguese',
  'romanian',
  'russian',
  'serbian',
  'sorani',
  'spanish',
  'swedish',
  'turkish',
  'fingerprint',
  'pattern',
  'stop',
  'simple',
  'whitespace',
  'keyword',
  'standard',
]

const TEXTS = [
  'The QUICK brown-foxes jumped over the lazy dog’s bone, running 3.5 km in 2024-05-06!',
  "L'avion n'est pas arrivé aujourd'hui; les étudiantes françaises étaient déçues qu'il pleuve.",
  'Die Häuser der größten Städte wurden gebaut, Straßen und Brücken ebenfalls.',
  'Los niños comían manzanas rojas mientras corrían rápidamente por las calles.',
  'As crianças brasileiras estavam felizes com os presentes que receberam ontem.',
  'I ragazzi italiani mangiavano dell’uva e parlavano velocemente.',
  'Дети быстро бежали по красивым улицам больших городов.',
  'De kinderen liepen snel door de mooiste straten van Amsterdam.',
  'Barnen sprang snabbt genom de vackra gatorna i Göteborg.',
  'Børnene løb hurtigt gennem gaderne i København.',
  'Lapset juoksivat nopeasti kaupungin kauniita katuja pitkin talossammekin.',
  'A gyerekek gyorsan futottak a legszebb házak között.',
  'Çocuklar İstanbul’un güzel sokaklarında hızla koşuyorlardı, ISPARTA’da.',
  'Τα παιδιά έτρεχαν γρήγορα στους όμορφους δρόμους της Αθήνας.',
  'ركض الأطفال بسرعة في شوارع المدينة الجميلة والكتاب',
  'بچه‌ها در خیابان‌های زیبای شهر می‌دویدند',
  'बच्चे सुंदर शहरों की सड़कों पर तेजी से दौड़ रहे थे',
  '東京の子供たちは公園で遊んでいました。テスト',
  '한국어 문장을 분석합니다',
  'สวัสดีชาวโลก',
  'Copiii alergau repede pe străzile frumoase ale oraşului, în ţară.',
  'Děti rychle běhaly po krásných ulicích velkých měst.',
  'Anak-anak berlari dengan cepat di jalan-jalan kota yang mempermainkan.',
  'Vaikai greitai bėgo gražiomis miesto gatvėmis.',
  'Bērni ātri skrēja pa skaistajām pilsētas ielām.',
  'Երեխաները արագ վազում էին քաղաքի փողոցներով',
  'Haurrak azkar zebiltzan hiriko kale ederretan',
  'Els nens corrien ràpidament pels carrers de l’antiga ciutat',
  'Децата бързо тичаха по красивите улици на града',
  'Rith na páistí go tapa ar shráideanna na cathrach, t-uisce agus hata',
  'user@example.org https://ex.org/a/b?x=1#y foo_bar fooBar Wi-Fi WiFi4All 1,234.5 #tag $5 50% C++ C#',
  '😀 👨‍👩‍👧 naïve café ﬁne Ⅷ ½ ½\u0301 e\u0301 \u200Bzero\u00A0width',
  '',
  '   ',
  'a',
  'xXx '.repeat(12),
]

const TOKENIZERS = [
  'standard',
  'keyword',
  'whitespace',
  'letter',
  'lowercase',
  'classic',
  'uax_url_email',
  'path_hierarchy',
  { type: 'path_hierarchy', delimiter: '-', reverse: true, skip: 1 },
  { type: 'path_hierarchy', delimiter: '/', replacement: '|' },
  { type: 'standard', max_token_length: 4 },
  { type: 'whitespace', max_token_length: 5 },
  { type: 'ngram', min_gram: 2, max_gram: 3, token_chars: ['letter', 'digit'] },
  { type: 'ngram', min_gram: 1, max_gram: 2, token_chars: ['letter', 'custom'], custom_token_chars: '-_' },
  { type: 'edge_ngram', min_gram: 1, max_gram: 4, token_chars: ['letter'] },
  { type: 'pattern', pattern: '[^\\w]+' },
  { type: 'pattern', pattern: '(\\w)(\\w+)', group: 1 },
  { type: 'simple_pattern', pattern: '[0-9]{1,3}' },
  { type: 'simple_pattern_split', pattern: '[-_ ]' },
  { type: 'char_group', tokenize_on_chars: ['whitespace', 'punctuation', '-'] },
  { type: 'char_group', tokenize_on_chars: ['digit', 'symbol'], max_token_length: 6 },
]

const STEMMERS = [
  'arabic',
  'armenian',
  'basque',
  'bengali',
  'brazilian',
  'bulgarian',
  'catalan',
  'czech',
  'danish',
  'dutch',
  'english',
  'light_english',
  'minimal_english',
  'possessive_english',
  'porter2',
  'estonian',
  'finnish',
  'light_finnish',
  'french',
  'light_french',
  'minimal_french',
  'minimal_galician',
  'german',
  'german2',
  'light_german',
  'minimal_german',
  'greek',
  'hindi',
  'hungarian',
  'light_hungarian',
  'indonesian',
  'irish',
  'italian',
  'light_italian',
  'latvian',
  'lithuanian',
  'norwegian',
  'light_norwegian',
  'minimal_norwegian',
  'light_nynorsk',
  'portuguese',
  'light_portuguese',
  'minimal_portuguese',
  'romanian',
  'russian',
  'light_russian',
  'sorani',
  'spanish',
  'light_spanish',
  'spanish_plural',
  'swedish',
  'light_swedish',
  'turkish',
]

const FILTERS = [
  'lowercase',
  'uppercase',
  'asciifolding',
  'reverse',
  'trim',
  'unique',
  'stop',
  'shingle',
  'porter_stem',
  'apostrophe',
  'cjk_width',
  'cjk_bigram',
  'classic',
  'decimal_digit',
  'elision',
  'flatten_graph',
  'german_normalization',
  'arabic_normalization',
  'persian_normalization',
  'hindi_normalization',
  'indic_normalization',
  'bengali_normalization',
  'sorani_normalization',
  'serbian_normalization',
  'scandinavian_folding',
  'scandinavian_normalization',
  'keyword_repeat',
  'remove_duplicates',
  'word_delimiter',
  'word_delimiter_graph',
  'length',
  'truncate',
  'fingerprint',
  'limit',
  'edge_ngram',
  'ngram',
  'type_as_synonym',
  { type: 'asciifolding', preserve_original: true },
  { type: 'shingle', min_shingle_size: 2, max_shingle_size: 3, output_unigrams: false, filler_token: '+' },
  { type: 'shingle', token_separator: '', output_unigrams_if_no_shingles: true },
  { type: 'edge_ngram', min_gram: 2, max_gram: 4, preserve_original: true },
  { type: 'edge_ngram', side: 'back', max_gram: 3 },
  { type: 'ngram', min_gram: 2, max_gram: 3, preserve_original: true },
  { type: 'stop', stopwords: ['the', 'a'], ignore_case: true },
  { type: 'stop', stopwords: '_french_', remove_trailing: false },
  { type: 'lowercase', language: 'turkish' },
  { type: 'lowercase', language: 'irish' },
  { type: 'lowercase', language: 'greek' },
  { type: 'length', min: 2, max: 5 },
  { type: 'limit', max_token_count: 3, consume_all_tokens: true },
  { type: 'truncate', length: 3 },
  { type: 'unique', only_on_same_position: true },
  { type: 'keep', keep_words: ['the', 'quick', 'a'], keep_words_case: true },
  { type: 'keep_types', types: ['<NUM>', '<HANGUL>'], mode: 'exclude' },
  { type: 'keyword_marker', keywords: ['running', 'foxes'] },
  { type: 'keyword_marker', keywords_pattern: '.*s', ignore_case: true },
  { type: 'stemmer_override', rules: ['running => run', 'foxes,bones => animal'] },
  { type: 'elision', articles: ['l', 'd'], articles_case: true },
  { type: 'pattern_replace', pattern: '(\\w)(\\w)', replacement: '$2$1', all: false },
  { type: 'pattern_capture', patterns: ['(\\d+)', '([a-z]+)'], preserve_original: false },
  { type: 'synonym', synonyms: ['quick, fast => speedy', 'the lazy, idle'], expand: false },
  { type: 'synonym_graph', synonyms: ['brown foxes, red animals', 'dog => hound dog'], lenient: true },
  { type: 'word_delimiter', catenate_all: true, preserve_original: true, split_on_case_change: false },
  { type: 'word_delimiter_graph', catenate_words: true, generate_number_parts: false, stem_english_possessive: false },
  { type: 'word_delimiter_graph', type_table: ['$ => DIGIT', '# => ALPHA'], protected_words: ['WiFi4All'] },
  { type: 'common_grams', common_words: ['the', 'over'], query_mode: true },
  { type: 'dictionary_decompounder', word_list: ['fox', 'run', 'straßen'], min_subword_size: 2 },
  { type: 'min_hash', hash_count: 1, bucket_count: 2, hash_set_size: 1 },
  { type: 'multiplexer', filters: ['lowercase', 'lowercase, porter_stem'] },
  { type: 'condition', filter: ['uppercase'], script: { source: 'token.getTerm().length() > 4' } },
  { type: 'predicate_token_filter', script: { source: "token.position % 2 == 0 && token.type == '<ALPHANUM>'" } },
  { type: 'cjk_bigram', output_unigrams: true, ignored_scripts: ['hangul'] },
  { type: 'fingerprint', max_output_size: 20, separator: '+' },
  { type: 'delimited_payload', delimiter: '-', encoding: 'identity' },
  { type: 'limit', max_token_count: 'x' },
  { type: 'nope' },
]

const CHAR_FILTERS = [
  'html_strip',
  { type: 'html_strip', escaped_tags: ['b'] },
  { type: 'mapping', mappings: ['a => b', '- => _', 'é => e', '😀 => smile'] },
  { type: 'pattern_replace', pattern: '(\\d)\\.(\\d)', replacement: '$1,$2' },
  { type: 'pattern_replace', pattern: '[aeiou]', replacement: '', flags: 'CASE_INSENSITIVE' },
]

const filter = (rng) =>
  rng.chance(0.25)
    ? { type: 'stemmer', language: rng.pick(STEMMERS) }
    : rng.chance(0.1)
      ? { type: 'stop', stopwords: `_${rng.pick(LANGUAGES)}_` }
      : rng.chance(0.05)
        ? { type: 'snowball', language: rng.pick(['English', 'French', 'German2', 'Russian', 'Kp', 'Porter', 'x']) }
        : rng.pick(FILTERS)

const text = (rng) => (rng.chance(0.15) ? [rng.pick(TEXTS), rng.pick(TEXTS)] : rng.pick(TEXTS))

export const analysis = {
  name: 'analysis',
  casesPerWorld: 1,
  wish: null,
  makeCase(rng, _, name) {
    const body = rng.chance(0.35)
      ? { analyzer: rng.pick(LANGUAGES), text: text(rng) }
      : {
          tokenizer: rng.pick(TOKENIZERS),
          filter: rng.times(rng.int(0, 3), () => filter(rng)),
          ...rng.options({ char_filter: [0.25, () => [rng.pick(CHAR_FILTERS)]] }),
          text: text(rng),
          ...rng.options({ explain: [0.15, () => true] }),
        }
    return { world: emptyWorld(name), steps: [call('POST', '/_analyze', body)] }
  },
}

/** The same analyzers in an index: what queries find and highlight. */
export const analyzedSearches = {
  name: 'analyzed-searches',
  casesPerWorld: 1,
  wish: null,
  makeCase(rng, _, name) {
    const own = {
      tokenizer: 'own',
      filter: ['f0', 'f1'],
      ...rng.options({ position_increment_gap: [0.2, () => 5] }),
    }
    const asDefinition = (one) => (typeof one === 'string' ? { type: one } : one)
    const analysisSettings = {
      tokenizer: { own: asDefinition(rng.pick(TOKENIZERS)) },
      filter: { f0: asDefinition(filter(rng)), f1: asDefinition(filter(rng)) },
      analyzer: { own: { type: 'custom', ...own } },
    }
    const mapping = {
      type: 'text',
      analyzer: rng.pick(['own', 'own', ...LANGUAGES]),
      ...rng.options({
        search_analyzer: [0.2, () => rng.pick(['own', 'standard', 'english'])],
        index_options: [0.2, () => rng.pick(['offsets', 'docs', 'freqs'])],
        term_vector: [0.2, () => 'with_positions_offsets'],
        index_prefixes: [0.1, () => ({})],
        index_phrases: [0.1, () => true],
      }),
    }
    const documents = rng.times(4, () => rng.pick(TEXTS.slice(0, 31)))
    const words = documents.flatMap((one) => one.split(/\s+/))
    const phrase = () => {
      const at = rng.int(0, words.length - 2)
      return words.slice(at, at + rng.int(1, 3)).join(' ')
    }
    const query = () => {
      const asked = phrase()
      return rng.pick([
        { match: { t: asked } },
        { match: { t: { query: asked, operator: 'and', fuzziness: 'AUTO' } } },
        { match_phrase: { t: { query: asked, slop: rng.int(0, 2) } } },
        { match_phrase_prefix: { t: asked } },
        { match_bool_prefix: { t: asked } },
        { simple_query_string: { query: asked.replaceAll(/["()|+~*-]/g, ''), fields: ['t'] } },
        { prefix: { t: asked.slice(0, 3).toLowerCase() } },
        { term: { t: asked.toLowerCase() } },
      ])
    }
    return {
      world: emptyWorld(name),
      steps: [
        call('PUT', `/${name}`, {
          settings: { ...SETTINGS, max_ngram_diff: 3, max_shingle_diff: 3, analysis: analysisSettings },
          mappings: { properties: { t: mapping } },
        }),
        ...documents.map((t, i) => call('PUT', `/${name}/_doc/${i}`, { t })),
        call('POST', `/${name}/_refresh`),
        ...rng.times(4, () =>
          call(
            'POST',
            `/${name}/_search`,
            {
              query: query(),
              _source: false,
              highlight: {
                fields: {
                  t: rng.options({
                    type: [0.5, () => rng.pick(['plain', 'unified', 'fvh'])],
                    number_of_fragments: [0.6, () => 0],
                  }),
                },
              },
            },
            { as: 'search' },
          ),
        ),
        call('DELETE', `/${name}`, undefined, { always: true }),
      ],
    }
  },
}
