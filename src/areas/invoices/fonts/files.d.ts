/** A font embedded in the executable; the import gives its path. */
declare module "*.ttf" {
	const path: string;
	export default path;
}
