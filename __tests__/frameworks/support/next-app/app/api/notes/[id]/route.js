export async function GET(_request, { params }) {
  return Response.json(await params);
}

export async function PATCH(_request, { params }) {
  return Response.json(await params);
}
