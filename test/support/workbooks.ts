import readWorkbook from 'read-excel-file/node'
import { SaxesParser } from 'saxes'
import { type Entry, fromBuffer, type ZipFile } from 'yauzl'

/** A workbook of one sheet, as another program reads it. */
export interface ReadWorkbook {
  sheet: string
  /** The cells of each row; null for an empty cell. */
  rows: unknown[][]
  /** The ranges of the filters, the numbers of frozen rows, the bold cells and the number of formulas. */
  look: { filters: string[]; frozenRows: number[]; bold: string[]; formulas: number }
}

export async function readBack(bytes: Uint8Array): Promise<ReadWorkbook> {
  const sheets = await readWorkbook(Buffer.from(bytes), { trim: false })
  const [first] = sheets
  if (!first || sheets.length !== 1) throw new Error(`Expected one sheet, got ${sheets.length}`)
  return { sheet: first.sheet, rows: first.data, look: await readFormats(bytes) }
}

type Element = { name: string; attributes: Record<string, string> }

async function readFormats(bytes: Uint8Array): Promise<ReadWorkbook['look']> {
  const files = await filesIn(Buffer.from(bytes))
  const styles = elementsOf(files.get('xl/styles.xml') ?? '')
  const sheet = elementsOf(files.get('xl/worksheets/sheet1.xml') ?? '')
  const named = (elements: Element[], name: string) => elements.filter((element) => element.name === name)
  const boldFonts = named(styles, 'font').flatMap((_font, index) =>
    isBold(styles, index) ? String(index) : [],
  )
  const cellFormats = styles.slice(styles.findIndex(({ name }) => name === 'cellXfs'))
  const formats = named(cellFormats, 'xf')
  return {
    filters: named(sheet, 'autoFilter').map(({ attributes }) => attributes.ref ?? ''),
    frozenRows: named(sheet, 'pane')
      .filter(({ attributes }) => attributes.state === 'frozen')
      .map(({ attributes }) => Number(attributes.ySplit)),
    bold: named(sheet, 'c')
      .filter(({ attributes }) => boldFonts.includes(formats[Number(attributes.s)]?.attributes.fontId ?? ''))
      .map(({ attributes }) => attributes.r ?? ''),
    formulas: named(sheet, 'f').length,
  }
}

/** Returns whether the font with this index is bold. */
function isBold(styles: readonly Element[], font: number): boolean {
  const begins = styles.flatMap(({ name }, index) => (name === 'font' ? index : []))
  const end = begins[font + 1] ?? styles.findIndex(({ name }) => name === 'fills')
  return styles.slice(begins[font], end).some(({ name }) => name === 'b')
}

/**
 * Returns the elements of a document in document order.
 * @throws if the document is not well-formed
 */
function elementsOf(xml: string): Element[] {
  const elements: Element[] = []
  const parser = new SaxesParser()
  parser.on('opentag', ({ name, attributes }) =>
    elements.push({ name, attributes: attributes as Record<string, string> }),
  )
  parser.on('error', (error) => {
    throw error
  })
  parser.write(xml).close()
  return elements
}

/** Returns the files of an archive as text: path → content. */
async function filesIn(archive: Buffer): Promise<Map<string, string>> {
  const zip = await new Promise<ZipFile>((resolve, reject) => {
    fromBuffer(archive, { lazyEntries: false, autoClose: false }, (error, zip) =>
      error ? reject(error) : resolve(zip),
    )
  })
  const entries: Entry[] = []
  await new Promise<void>((resolve, reject) => {
    zip
      .on('entry', (entry) => entries.push(entry))
      .on('end', resolve)
      .on('error', reject)
  })
  return new Map(
    await Promise.all(entries.map(async (entry) => [entry.fileName, await textOf(zip, entry)] as const)),
  )
}

async function textOf(zip: ZipFile, entry: Entry): Promise<string> {
  const pieces: Buffer[] = []
  const stream = await new Promise<NodeJS.ReadableStream>((resolve, reject) => {
    zip.openReadStream(entry, (error, stream) => (error ? reject(error) : resolve(stream)))
  })
  for await (const piece of stream) pieces.push(piece as Buffer)
  return Buffer.concat(pieces).toString()
}
