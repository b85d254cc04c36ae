import type { ComponentType } from 'react'
import type { AddressParameters, AppAddress, AppArea, appPages } from '../../../src/contract/app-pages.ts'

type AddressesOf<Area extends AppArea> = {
  [Address in AppAddress]: (typeof appPages)[Address] extends Area ? Address : never
}[AppAddress]

/** The pages of one area by address. The parameters of the address are the properties of the page. */
export type AreaPages<Area extends AppArea> = {
  readonly [Address in AddressesOf<Area>]: ComponentType<AddressParameters<Address>>
}
