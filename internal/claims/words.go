package claims

import "rmwbench/internal/resp"

// elem is one element of an array reply, and nil where there is none.
func elem(r resp.Reply, i int) resp.Reply {
	if i < len(r.Elems) {
		return r.Elems[i]
	}
	return resp.Reply{}
}

// short is a reply in which errors are their class, where that tells enough.
func short(r resp.Reply) string {
	if r.Kind == resp.Array {
		brief := resp.List()
		for _, e := range r.Elems {
			brief.Elems = append(brief.Elems, shortError(e))
		}
		return brief.String()
	}
	return clip(shortError(r).String())
}

func shortError(r resp.Reply) resp.Reply {
	if class := r.Class(); class != "" && class != "ERR" {
		return resp.Fault(class)
	}
	return r
}

// clip shortens what is too long for a table.
func clip(text string) string {
	const most = 100
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "..."
	}
	return text
}

// nameOf is a command without its arguments.
func nameOf(cmd resp.Cmd) string {
	switch cmd[0] {
	case "SCRIPT", "FUNCTION", "CLUSTER":
		return cmd[0] + " " + cmd[1]
	}
	return cmd[0]
}
