import { closeSync, constants, openSync } from "node:fs";
import { join, resolve } from "node:path";

/** The socket in the data folder by which its owner controls the running server. */
const controlName = "control.sock";

/** The system's limit for the path of a socket is 108 bytes, on some systems 104. */
const pathBytesMax = 103;

/** The path of the control socket. A long path goes through a descriptor of its folder, which `release` closes. */
export interface ControlAddress {
	readonly path: string;
	release(): void;
}

/** Returns the address of the control socket of a data folder. Throws the system's error if the folder cannot be opened. */
export function controlAddressOf(folder: string): ControlAddress {
	const path = controlPathOf(folder);
	if (Buffer.byteLength(path) <= pathBytesMax || process.platform !== "linux") return { path, release: () => {} };
	const descriptor = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY);
	return { path: `/proc/self/fd/${descriptor}/${controlName}`, release: () => closeSync(descriptor) };
}

export const controlPathOf = (folder: string): string => join(resolve(folder), controlName);
