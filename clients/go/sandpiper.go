// Package sandpiper starts a Sandpiper search service for tests.
package sandpiper

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
)

const (
	startTimeout = 60 * time.Second
	stopTimeout  = 20 * time.Second
)

var address = regexp.MustCompile(`address\s+(https?://\S+)`)

// Start runs a service on a free port for the length of a test and returns its address.
func Start(t testing.TB) string {
	t.Helper()
	url, stop, err := Run()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stop)
	return url
}

// Run starts a service and returns its address and a function that stops it and removes its data.
func Run() (url string, stop func(), err error) {
	folder, err := os.MkdirTemp("", "sandpiper-")
	if err != nil {
		return "", nil, err
	}
	command := strings.Fields(os.Getenv("SANDPIPER_COMMAND"))
	if len(command) == 0 {
		command = []string{"sandpiper"}
	}
	arguments := append(command[1:], "serve", "--port", "0", "--data", filepath.Join(folder, "data"))
	process := exec.Command(command[0], arguments...)
	output, err := process.StdoutPipe()
	if err != nil {
		return "", nil, err
	}
	process.Stderr = os.Stderr
	if err := process.Start(); err != nil {
		os.RemoveAll(folder)
		return "", nil, fmt.Errorf("cannot run %s (npm install -g sandpiper-search, or set SANDPIPER_COMMAND): %w", command[0], err)
	}
	exited := make(chan struct{})
	found := make(chan string, 1)
	go func() {
		if url := readAddress(output); url != "" {
			found <- url
		}
		// Whatever the service prints later must be read, or it would wait for the pipe.
		io.Copy(io.Discard, output)
		process.Wait()
		close(exited)
	}()
	stop = func() {
		process.Process.Signal(syscall.SIGTERM)
		select {
		case <-exited:
		case <-time.After(stopTimeout):
			process.Process.Kill()
			<-exited
		}
		os.RemoveAll(folder)
	}
	select {
	case url := <-found:
		return url, stop, nil
	case <-exited:
		os.RemoveAll(folder)
		return "", nil, errors.New("the service ended before it printed its address")
	case <-time.After(startTimeout):
		stop()
		return "", nil, errors.New("the service did not start in time")
	}
}

func readAddress(output io.Reader) string {
	lines := bufio.NewScanner(output)
	for lines.Scan() {
		if match := address.FindStringSubmatch(lines.Text()); match != nil {
			return match[1]
		}
	}
	return ""
}
