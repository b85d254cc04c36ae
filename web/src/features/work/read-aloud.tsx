import { useEffect, useState } from 'react'
import { useTexts } from '../../app/texts.ts'
import { Button } from '../../ui/buttons.tsx'
import { Icon } from '../../ui/icon.tsx'

/** A button that reads a text aloud with a voice of the browser, and stops it. No text leaves the device for a voice that is on it. */
export default function ReadAloud({ children }: { children: string }) {
  const { text, language } = useTexts()
  const [isSpeaking, setSpeaking] = useState(false)
  // Another page must not go on speaking.
  useEffect(() => () => speechSynthesis.cancel(), [])
  function speak() {
    speechSynthesis.cancel()
    if (isSpeaking) return setSpeaking(false)
    const speech = new SpeechSynthesisUtterance(children)
    speech.lang = language
    // A voice on the device. Without one the browser chooses.
    speech.voice =
      speechSynthesis.getVoices().find((one) => one.localService && one.lang.startsWith(language)) ?? null
    speech.rate = 0.9
    speech.onend = () => setSpeaking(false)
    speech.onerror = () => setSpeaking(false)
    setSpeaking(true)
    speechSynthesis.speak(speech)
  }
  return (
    <Button isSecondary onPress={speak}>
      <Icon name={isSpeaking ? 'pause' : 'play'} />
      {text(isSpeaking ? 'readAloud.stop' : 'readAloud.do')}
    </Button>
  )
}
