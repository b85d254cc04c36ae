import './qr-code.css'
import { encode } from 'uqr'

/** A QR code. It is dark on light in every color scheme, because not every camera reads inverted codes. */
export function QrCode({ label, children }: { label: string; children: string }) {
  const { size, data } = encode(children, { border: 4 })
  const squares = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
  return (
    <svg
      className="qr-code"
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={squares.join('')} fill="#000" />
    </svg>
  )
}
