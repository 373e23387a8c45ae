import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { getFile } from "../../api";
import { Card, Skeleton } from "../../kit/page";
import { Problem } from "../../kit/problem";
import { t } from "../../messages/invoices";
import { type InvoiceProps, pathOf } from "./of";

/** The document in its place, drawn when it is asked for. */
export function DocumentCard({ invoice }: InvoiceProps) {
	const [isShown, setShown] = useState(false);
	if (invoice.state === "DRAFT") return null;
	return (
		<Card
			title={t.document}
			text={t.documentText}
			actions={
				!isShown && (
					<button type="button" onClick={() => setShown(true)}>
						{t.showDocument}
					</button>
				)
			}
		>
			{isShown && <Pdf path={`${pathOf(invoice)}/pdf`} name={`${invoice.invoiceNumber}.pdf`} />}
		</Card>
	);
}

/** A PDF of the API, shown by the browser itself, and to be kept. */
export function Pdf({ path, name }: { readonly path: string; readonly name: string }) {
	const { data, error, refetch } = useQuery({
		queryKey: ["file", path],
		queryFn: () => getFile(path),
		staleTime: Number.POSITIVE_INFINITY,
	});
	const url = useMemo(() => data && URL.createObjectURL(data), [data]);
	useEffect(() => () => void (url && URL.revokeObjectURL(url)), [url]);
	if (error) return <Problem error={error} retry={() => void refetch()} />;
	if (!url)
		return (
			<>
				<p className="quiet">{t.drawing}</p>
				<Skeleton lines={6} />
			</>
		);
	return (
		<>
			<iframe className="document" title={name} src={url} />
			<a className="button" href={url} download={name}>
				{t.download}
			</a>
		</>
	);
}
