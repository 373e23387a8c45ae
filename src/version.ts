import { version as packageVersion } from "../package.json";

/** Of this executable. */
export const version: string = packageVersion;

/** Of the interface it speaks (the interface, Versioning). */
export const interfaceVersion = "8.59.0";
