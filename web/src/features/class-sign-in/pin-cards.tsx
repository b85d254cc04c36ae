import './pin-cards.css'
import type { ClassPins } from '../../../../src/contract/picture-sign-in.ts'
import { useTexts } from '../../app/texts.ts'
import { Button } from '../../ui/buttons.tsx'
import { QrCode } from '../../ui/qr-code.tsx'
import { PinPicture, PupilPicture } from './symbols.tsx'

/** New PINs as cards to print. Nobody can read them from the server later. */
export function PinCards({ made: { cards, refused }, address }: { made: ClassPins; address: string }) {
  const { text } = useTexts()
  return (
    <>
      {refused.length > 0 && (
        <p className="notice">{text('classPins.refused', { names: refused.join(', ') })}</p>
      )}
      {cards.length > 0 && (
        <>
          <p>{text('classPins.once')}</p>
          <Button onPress={() => print()}>{text('classPins.print')}</Button>
          <ul className="pin-cards">
            {cards.map(({ id, name, symbol, pin }) => (
              <li key={id}>
                <strong className="pin-pupil">
                  <PupilPicture name={symbol} />
                  {name}
                </strong>
                <span className="pin-code">
                  {[...pin].map((digit, place) => (
                    // The digits of a PIN have no identity but their place.
                    <span key={place}>
                      <PinPicture digit={Number(digit)} />
                      {digit}
                    </span>
                  ))}
                </span>
                <QrCode label={text('classPins.qrCode')}>{address}</QrCode>
                <span className="pin-address">{address.replace(/^https?:\/\//, '')}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  )
}
