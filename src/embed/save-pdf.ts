import type { PortalApi } from "./api.portal";

/** Saves the PDF of an invoice or a receipt as a file. */
export async function savePdf(
	api: PortalApi,
	of: "invoices" | "receipts",
	{ id, number }: { readonly id: string; readonly number: string },
): Promise<void> {
	const address = URL.createObjectURL(await api.pdf(of, id));
	const link = document.createElement("a");
	link.href = address;
	link.download = `${number}.pdf`;
	link.click();
	setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
