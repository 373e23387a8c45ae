import type { Destination } from "./destination";
import { BucketDestination } from "./destination.bucket";
import { FolderDestination } from "./destination.folder";
import type { BackupTarget } from "./settings";

export const destinationOf = (target: BackupTarget): Destination =>
	target.kind === "folder" ? new FolderDestination(target.path) : new BucketDestination(target.storage);
