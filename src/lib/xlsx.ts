import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import { type Cell, harmless, Moment, type Table } from './spreadsheet.ts'

/**
 * A table as a workbook of one sheet (ECMA-376, SpreadsheetML): numbers and moments are what they are, the first row is bold,
 * stays in sight and filters the others. Text that begins as a formula does has an apostrophe before it.
 * @param sheet the name of the sheet
 * @returns the bytes of the file; they are made as they are read, and no more than a portion of rows is held
 */
export function xlsxOf(table: Table, sheet: string): Readable {
  const zip = new ZipFile()
  const write = (text: string, path: string) => zip.addBuffer(Buffer.from(declaration + text), path)
  write(contentTypes, '[Content_Types].xml')
  write(relationships([['officeDocument', 'xl/workbook.xml']]), '_rels/.rels')
  write(workbook(sheetName(sheet)), 'xl/workbook.xml')
  const ofWorkbook: Relationship[] = [
    ['worksheet', 'worksheets/sheet1.xml'],
    ['styles', 'styles.xml'],
  ]
  write(relationships(ofWorkbook), 'xl/_rels/workbook.xml.rels')
  write(styles, 'xl/styles.xml')
  const rows = Readable.from(sheetOf(table), { objectMode: false, highWaterMark: 64 * 1024 })
  zip.addReadStream(rows, 'xl/worksheets/sheet1.xml')
  zip.end()
  const bytes = zip.outputStream as Readable
  // What goes wrong while the rows are read ends the file; who stops reading it ends the rows.
  rows.on('error', (error) => bytes.destroy(error))
  bytes.on('close', () => rows.destroy())
  return bytes
}

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packages = 'http://schemas.openxmlformats.org/package/2006'
const spreadsheetPart = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

const contentTypes = `<Types xmlns="${packages}/content-types">
<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
<Default Extension="xml" ContentType="application/xml"/>
<Override PartName="/xl/workbook.xml" ContentType="${spreadsheetPart}.sheet.main+xml"/>
<Override PartName="/xl/worksheets/sheet1.xml" ContentType="${spreadsheetPart}.worksheet+xml"/>
<Override PartName="/xl/styles.xml" ContentType="${spreadsheetPart}.styles+xml"/>
</Types>`

type Relationship = [type: string, target: string]

const relationships = (all: Relationship[]) =>
  `<Relationships xmlns="${packages}/relationships">${all
    .map(([type, target], index) => `<Relationship Id="rId${index + 1}" Type="${office}/${type}" Target="${target}"/>`)
    .join('')}</Relationships>`

const workbook = (sheet: string) =>
  `<workbook xmlns="${main}" xmlns:r="${office}"><sheets><sheet name="${escaped(sheet)}" sheetId="1" r:id="rId1"/></sheets></workbook>`

/** The formats that a cell can have, by their place in `cellXfs` below. */
const formats = { plain: 0, heading: 1, moment: 2 } as const

const styles = `<styleSheet xmlns="${main}">
<numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/></numFmts>
<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts>
<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>
<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>
<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>
<cellXfs count="3"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>
<xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/>
<xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs>
<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`

async function* sheetOf({ columns, rows }: Table): AsyncGenerator<string> {
  yield `${declaration}<worksheet xmlns="${main}"><sheetViews><sheetView tabSelected="1" workbookViewId="0">
<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>
<cols><col min="1" max="${columns.length}" width="20" customWidth="1"/></cols><sheetData>
${rowOf(columns, 1, formats.heading)}`
  let row = 1
  for await (const portion of rows) yield portion.map((cells) => rowOf(cells, ++row, formats.plain)).join('')
  yield `</sheetData><autoFilter ref="${letter(0)}1:${letter(columns.length - 1)}${row}"/></worksheet>`
}

function rowOf(cells: readonly Cell[], row: number, format: number): string {
  return `<row r="${row}">${cells.map((cell, column) => cellOf(cell, `${letter(column)}${row}`, format)).join('')}</row>`
}

function cellOf(cell: Cell, place: string, format: number): string {
  if (cell === undefined) return ''
  if (typeof cell === 'number') return `<c r="${place}" s="${format}"><v>${cell}</v></c>`
  if (cell instanceof Moment) return `<c r="${place}" s="${formats.moment}"><v>${serial(cell.time)}</v></c>`
  const text = escaped(harmless(cell))
  return `<c r="${place}" s="${format}" t="inlineStr"><is><t xml:space="preserve">${text}</t></is></c>`
}

const dayMilliseconds = 24 * 60 * 60 * 1000
/** The days between the day 0 of spreadsheets and 1970 (18.17.4.1). */
const daysBefore1970 = 25_569

const serial = (time: number): number => time / dayMilliseconds + daysBefore1970

/** The letters of a column, of which there are less than 27. */
const letter = (column: number): string => String.fromCharCode('A'.charCodeAt(0) + column)

/** What may not be in the name of a sheet is left out; it has 31 characters at most. */
function sheetName(name: string): string {
  const allowed = name
    .replaceAll(/[\\/?*[\]:\p{Cc}]/gu, ' ')
    .trim()
    .replaceAll(/^'+|'+$/g, '')
  return allowed.slice(0, 31).toWellFormed() || 'Sheet'
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Text of XML 1.0. A character that it cannot have is written as spreadsheets do (22.9.2.19, ST_Xstring). */
function escaped(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
    .replaceAll(/[^\P{Cc}\t\n]|[\uFFFE\uFFFF]/gu, (character) => {
      return `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`
    })
    .replaceAll(/[&<>"]/g, (character) => entities[character] ?? character)
}
