import type { PrintedDocument } from "../document/document";
import { layOut } from "./layout";
import { paint } from "./paint";

/** Renders an invoice or a credit note as a PDF. The same document gives the same bytes. */
export const renderPdf = (document: PrintedDocument): Buffer =>
	paint({
		pages: layOut(document),
		title: `${document.title} ${document.number}`,
		author: document.issuer.name,
		subject: `${document.title} ${document.number}: ${document.customer.name}`,
		language: document.language,
		createdAt: document.changedAt,
		fileId: fileIdOf(document),
	});

/** Derives the file id from the document's id and revision only. */
const fileIdOf = ({ id, revision }: PrintedDocument): string =>
	new Bun.CryptoHasher("md5").update(`${id}:${revision}`).digest("hex");
