package results

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

// FuzzRead holds Read to its promise: whatever the bytes are, it answers a file
// or an error, and what it accepts can be written, read again and summed up.
//
// The seeds are short, and yet a worker may spend a minute on making one find
// shorter: -fuzzminimizetime=10x leaves the time for finding.
func FuzzRead(f *testing.F) {
	const header = `{"schema":1,"seed":"7","cells":[{"strategy":"a","workload":"b","clients":1,"keys":1}]}` + "\n"
	const run = `{"source":"live","strategy":"a","workload":"b","clients":1,"keys":1`
	latency := mustJSON(f, recorded(1, time.Hour))
	small := header + run + `,"committed":2,"attempts":3,"conflicts":1,"elapsed_ns":5,"verdicts":{"failed":1}}` + "\n"
	timed := header + run + `,"latency":` + latency + "}\n"
	for _, text := range []string{
		"", header, small, timed,
		small + small,                    // concatenated
		small[:len(small)-9],             // torn
		header + "\r\n\n" + small + "\n", // blank lines
		strings.Replace(timed, `"hdr":"HIST`, `"hdr":"HIST0`, 1),
		strings.Replace(timed, `A`, `B`, 1),                     // damaged histogram
		strings.Replace(timed, `"count":2`, `"count":3`, 1),     // another count
		strings.Replace(timed, `"clamped":1`, `"clamped":9`, 1), // more than there are
		header + run + `,"attempts_histogram":[[1,5],[64,2]],"failed":{"OOM":1},"notes":{"moved":2},"partial":true}`,
		header + run + `,"audit":{"verdict":"lost","acknowledged":2,"lost":1,"keys":1},"warnings":["a","a"]}`,
		header + run + `,"server":{"cpu_ns":5},"client":{"cpu_ns":6,"cores":2},"whole":{"elapsed_ns":9}}`,
		strings.Replace(small, `"schema":1`, `"schema":2`, 1),
	} {
		f.Add([]byte(text))
	}

	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := Read(bytes.NewReader(data), "name")
		if err != nil {
			if file != nil || !strings.HasPrefix(err.Error(), "name:") {
				t.Fatalf("%v, error %v", file, err)
			}
			return
		}
		if len(file.Headers) == 0 {
			t.Fatal("a file without a header was accepted")
		}
		text := rewritten(t, file)
		again, err := Read(strings.NewReader(text), "again")
		if err != nil {
			t.Fatalf("what was accepted and written is refused: %v", err)
		}
		if again.Warnings != nil || len(again.Headers) != len(file.Headers) || len(again.Runs) != len(file.Runs) {
			t.Fatalf("%d headers, %d runs, warnings %q; wrote %d and %d",
				len(again.Headers), len(again.Runs), again.Warnings, len(file.Headers), len(file.Runs))
		}
		if second := rewritten(t, again); second != text {
			t.Fatalf("written\n%s\nand after reading\n%s", text, second)
		}
		for _, s := range Summaries(file.Headers[0].Cells, file.Runs) {
			if bad := notFinite(&s); bad != nil {
				t.Fatal(bad)
			}
		}
	})
}

// rewritten is the file as it is written again: its headers, then its runs.
func rewritten(t testing.TB, file *File) string {
	var text strings.Builder
	var w *Writer
	var err error
	for _, h := range file.Headers {
		if w, err = NewWriter(&text, h); err != nil {
			t.Fatalf("a header was accepted and cannot be written: %v", err)
		}
	}
	for i := range file.Runs {
		if err := w.Write(&file.Runs[i]); err != nil {
			t.Fatalf("a run was accepted and cannot be written: %v", err)
		}
	}
	return text.String()
}
