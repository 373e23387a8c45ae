import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { getFile } from "../api";
import { words } from "../messages/shared/words";
import { Card, Skeleton } from "./page";
import { Problem } from "./problem";

interface PdfProps {
	/** Below /api/v1. */
	readonly path: string;
	/** The name of the file. */
	readonly name: string;
}

/** A PDF of the API in a card. It is loaded when the person asks for it. */
export function PdfCard({
	texts,
	...pdf
}: PdfProps & { readonly texts: { readonly title: string; readonly text: string } }) {
	const [isShown, setShown] = useState(false);
	const show = !isShown && (
		<button type="button" onClick={() => setShown(true)}>
			{words.showPdf}
		</button>
	);
	return (
		<Card {...texts} actions={show}>
			{isShown && <Pdf {...pdf} />}
		</Card>
	);
}

function Pdf({ path, name }: PdfProps) {
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
				<p className="quiet">{words.creatingPdf}</p>
				<Skeleton lines={6} />
			</>
		);
	return (
		<>
			<iframe className="document" title={name} src={url} />
			<a className="button" href={url} download={name}>
				{words.downloadPdf}
			</a>
		</>
	);
}
