import './icon-buttons.css'
import { Button } from 'react-aria-components/Button'
import { ToggleButton } from 'react-aria-components/ToggleButton'
import type { IconName } from '../../../src/contract/icons.ts'
import { Icon } from '../ui/icon.tsx'

interface ButtonProps {
  icon: IconName
  label: string
  className?: string
  onPress(): void
}

/** A button with an icon. Its label is shown when the pointer is on it. */
export const IconButton = ({ icon, label, className = '', onPress }: ButtonProps) => (
  <Button
    className={`icon-button ${className}`}
    aria-label={label}
    onPress={onPress}
    render={(props) => <button {...props} title={label} />}
  >
    <Icon name={icon} />
  </Button>
)

interface ToggleProps {
  icon: IconName
  label: string
  isOn: boolean
  onChange(isOn: boolean): void
}

export const IconToggle = ({ icon, label, isOn, onChange }: ToggleProps) => (
  <ToggleButton
    className="icon-button"
    aria-label={label}
    isSelected={isOn}
    onChange={onChange}
    render={(props) => <button {...props} title={label} />}
  >
    <Icon name={icon} />
  </ToggleButton>
)
