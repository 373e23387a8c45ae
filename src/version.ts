import { version as packageVersion } from "../package.json";

/** The version of this executable. */
export const version: string = packageVersion;

/** The version of the interface (docs/interface, Versioning). */
export const interfaceVersion = "8.59.0";
