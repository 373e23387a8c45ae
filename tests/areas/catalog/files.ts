import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Applied, type ApplyOptions, applyCatalogue } from "../../../src/areas/catalog/operations";
import { readCatalogue } from "../../../src/areas/catalog/rules.file";
import { listPackages } from "../../../src/areas/packages/operations";
import type { World } from "../../support/world";

/** The price lists of tests/catalogues: five kinds of product as many sell them. */
export const catalogueNames = ["seats", "usage-api", "credits-ai", "freemium", "enterprise"] as const;
export type CatalogueName = (typeof catalogueNames)[number];

export const fileText = (name: CatalogueName): string =>
	readFileSync(join(import.meta.dir, `../../catalogues/${name}.yaml`), "utf8");

/** Applies a file's text as the command line does. */
export function apply(ours: World, text: string, options: Partial<ApplyOptions> = {}): Applied {
	const file = readCatalogue(text);
	return ours.transactions.write(ours.actor, (work) =>
		applyCatalogue(work, file, { prune: false, migration: "NEW_CUSTOMERS", ...options }),
	);
}

/** `PLAN pro 2`: each package with its published version. */
export const versionNumbers = (ours: World): string[] =>
	ours.transactions.read(ours.actor, (work) =>
		(["PLAN", "ADDON"] as const).flatMap((kind) =>
			listPackages(work, kind, { limit: "100" }).rows.map(
				({ version }) => `${kind} ${version.refId} ${version.versionNumber}`,
			),
		),
	);
